import { useMutation } from "@apollo/client/react";
import { LoginDocument, LogoutDocument, type LoginInput } from "../../generated/graphql.ts";
import { endSession, readSession, startSession } from "./session.ts";

/** @throws the server's error */
export function useLogin() {
  const [login] = useMutation(LoginDocument);
  return async (input: LoginInput): Promise<void> => {
    const { data } = await login({ variables: { input } });
    if (data) startSession(data.login);
  };
}

/** Signs out locally at once; the server ends the session in the background. */
export function useLogout() {
  const [logout] = useMutation(LogoutDocument);
  return async () => {
    const headers = { authorization: `Bearer ${readSession()?.token}` };
    endSession();
    await logout({ context: { headers } }).catch(() => undefined);
  };
}
