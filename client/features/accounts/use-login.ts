import { useApolloClient, useMutation } from "@apollo/client/react";
import { LoginDocument, LogoutDocument, type LoginInput } from "../../generated/graphql.ts";
import { messageOf } from "../../lib/error-message.ts";
import { toast } from "../../lib/toast.ts";
import { endSession, readSession, startSession } from "./session.ts";

/** @returns whether the sign-in worked; if not, the server's message has been shown */
export function useLogin() {
  const client = useApolloClient();
  const [login, { loading }] = useMutation(LoginDocument);
  return {
    loading,
    login: async (input: LoginInput): Promise<boolean> => {
      try {
        const { data } = await login({ variables: { input } });
        if (!data) return false;
        // What a visitor saw may differ from what this account sees.
        await client.clearStore();
        startSession(data.login);
        return true;
      } catch (error) {
        toast.error(messageOf(error));
        return false;
      }
    },
  };
}

/** Signs out here at once; the server forgets the session behind it. */
export function useLogout() {
  const client = useApolloClient();
  const [logout] = useMutation(LogoutDocument);
  return async () => {
    const headers = { authorization: `Bearer ${readSession()?.token}` };
    endSession();
    await logout({ context: { headers } }).catch(() => undefined);
    await client.resetStore();
  };
}
