import { useMutation } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { VerifyEmailDocument } from "../../generated/forms/graphql.ts";

/** Verifies after hydration, so that a mail scanner which only fetches the link does not use up the token. */
export function useVerifyEmail(userId: string, token: string): "pending" | "verified" | "failed" {
  const [verify] = useMutation(VerifyEmailDocument);
  const [state, setState] = useState<"pending" | "verified" | "failed">("pending");
  useEffect(() => {
    verify({ variables: { userId, token } }).then(
      () => setState("verified"),
      (error: unknown) => {
        // The page shows Not Found; the reason is logged for debugging.
        console.info("Email verification failed:", error instanceof Error ? error.message : error);
        setState("failed");
      },
    );
  }, [verify, userId, token]);
  return state;
}
