import { useMutation } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { VerifyEmailDocument } from "../../generated/graphql.ts";

/**
 * Follows the link of a letter once the page is alive: a scanner that only fetches it changes nothing.
 * @returns `verified`, `failed`, or `pending` until the server has said which
 */
export function useVerifyEmail(userId: string, token: string): "pending" | "verified" | "failed" {
  const [verify] = useMutation(VerifyEmailDocument);
  const [state, setState] = useState<"pending" | "verified" | "failed">("pending");
  useEffect(() => {
    verify({ variables: { userId, token } }).then(
      () => setState("verified"),
      (error: unknown) => {
        // The page says Not Found; the reason is for whoever looks closer.
        console.info("Email verification failed:", error instanceof Error ? error.message : error);
        setState("failed");
      },
    );
  }, [verify, userId, token]);
  return state;
}
