import { useMutation } from "@apollo/client/react";
import { ScheduleDraftDocument } from "../../generated/writing/graphql.ts";

/** @returns sets the time at which the server publishes a draft, null for none @throws the server's errors */
export function useSchedule(id: string) {
  const [scheduleDraft] = useMutation(ScheduleDraftDocument);
  return async (version: number, publishAt: Date | null) => {
    const { data } = await scheduleDraft({
      variables: { id, version, publishAt: publishAt && publishAt.toISOString() },
    });
    if (!data) throw new Error("the server sent no draft");
    return data.scheduleDraft;
  };
}
