import { useQuery } from "@apollo/client/react";
import { DraftCountDocument } from "../../generated/writing/graphql.ts";

export function DraftCount() {
  const { data } = useQuery(DraftCountDocument);
  const count = data?.viewer?.drafts.totalCount;
  return count ? <span className="meta">{count}</span> : null;
}
