import { useApolloClient } from "@apollo/client/react";
import { LogoutDocument } from "../../generated/graphql.ts";
import { endSession, readSession } from "./session.ts";

/** Signs out locally at once; the server ends the session in the background. */
export function useLogout() {
  // The menu is part of every page, which would load `useMutation` only for this.
  const client = useApolloClient();
  return async () => {
    const headers = { authorization: `Bearer ${readSession()?.token}` };
    endSession();
    await client.mutate({ mutation: LogoutDocument, context: { headers } }).catch(() => undefined);
  };
}
