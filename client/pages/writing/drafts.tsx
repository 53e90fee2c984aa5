import { useQuery } from "@apollo/client/react";
import { Link } from "react-router-dom";
import { draftPath, NEW_DRAFT } from "../../config/paths.ts";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { DraftList } from "../../features/writing/draft-list.tsx";
import { DraftsPageDocument } from "../../generated/writing/graphql.ts";
import { PageHead } from "../../ui/basics/page-head.tsx";
import { MoreButton } from "../../ui/data/more-button.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";

export const DraftsPage = () => (
  <>
    <PageHead title="Your drafts" />
    <UsersOnly>
      {({ _id }) => (
        <>
          <p className="new-draft">
            <Link className="button solid" to={draftPath(NEW_DRAFT)}>
              New draft
            </Link>
          </p>
          <Drafts owner={_id} />
        </>
      )}
    </UsersOnly>
  </>
);

function Drafts({ owner }: { owner: string }) {
  const { data, error, refetch, fetchMore } = useQuery(DraftsPageDocument, {
    fetchPolicy: "cache-and-network",
  });
  const drafts = data?.viewer?.drafts;
  const { endCursor: after, hasNextPage } = drafts?.pageInfo ?? {};
  return (
    <div className="page-loading" aria-busy={!drafts && !error}>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {(drafts ?? error) && (
        <DraftList owner={owner} drafts={drafts?.nodes ?? []} isWhole={hasNextPage === false} />
      )}
      {hasNextPage && <MoreButton load={() => fetchMore({ variables: { after } })} />}
    </div>
  );
}
