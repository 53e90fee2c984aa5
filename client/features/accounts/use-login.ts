import { useMutation } from "@apollo/client/react";
import { LoginDocument, type LoginInput } from "../../generated/forms/graphql.ts";
import { startSession } from "./session.ts";

/** @throws the server's error */
export function useLogin() {
  const [login] = useMutation(LoginDocument);
  return async (input: LoginInput): Promise<void> => {
    const { data } = await login({ variables: { input } });
    if (data) startSession(data.login);
  };
}
