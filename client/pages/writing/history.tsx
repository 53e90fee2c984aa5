import { useQuery } from "@apollo/client/react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { postPath } from "../../config/paths.ts";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { RevisionList } from "../../features/history/revision-list.tsx";
import { RevisionView } from "../../features/history/revision-view.tsx";
import { PostHistoryPageDocument, type PostHistoryPageQuery } from "../../generated/writing/graphql.ts";
import { flash } from "../../lib/flash.ts";
import { isId } from "../../lib/is-id.ts";
import { PageHead } from "../../ui/basics/page-head.tsx";
import { MoreButton } from "../../ui/data/more-button.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { NotFound } from "../../ui/feedback/not-found.tsx";
import "./history.css";

/** The published states of a post, for its author and for admins. */
export function PostHistoryPage() {
  const { id = "" } = useParams();
  return (
    <>
      <PageHead title="History" />
      <UsersOnly>
        {() => (isId(id) ? <History key={id} id={id} /> : <NotFound message="invalid id" />)}
      </UsersOnly>
    </>
  );
}

type Post = NonNullable<PostHistoryPageQuery["post"]>;

function History({ id }: { id: string }) {
  const { data, error, refetch, fetchMore } = useQuery(PostHistoryPageDocument, {
    variables: { id },
    fetchPolicy: "network-only",
  });
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data) return <div className="page-loading" aria-busy="true" />;
  if (!data.post) return <NotFound message="post not found" />;
  const more = () =>
    fetchMore({
      variables: { after: data.post?.revisions.pageInfo.endCursor },
      updateQuery: (before, { fetchMoreResult }) => append(before, fetchMoreResult),
    });
  return (
    <div className="page-list">
      <p className="history-post meta">
        ‹{" "}
        <Link to={postPath(id)} dir="auto">
          {data.post.title}
        </Link>
      </p>
      <Revisions key={data.post.updatedAt} post={data.post} loadMore={more} reload={() => void refetch()} />
    </div>
  );
}

function append(before: PostHistoryPageQuery, { post: more }: PostHistoryPageQuery): PostHistoryPageQuery {
  if (!before.post || !more) return before;
  const edges = [...before.post.revisions.edges, ...more.revisions.edges];
  return { ...before, post: { ...before.post, revisions: { ...more.revisions, edges } } };
}

type Props = { post: Post; loadMore: () => Promise<unknown>; reload: () => void };

function Revisions({ post, loadMore, reload }: Props) {
  const navigate = useNavigate();
  const { edges, pageInfo } = post.revisions;
  const [chosenId, setChosenId] = useState(edges[0]?.node.id);
  const revisions = edges.map(({ node }, index) => ({
    revision: node,
    after: edges[index - 1]?.cursor ?? null,
  }));
  const chosen = revisions.find(({ revision }) => revision.id === chosenId);
  if (!chosen) return <p className="notice">This post has not been changed since it was published.</p>;
  return (
    <div className="post-history">
      <nav aria-label="Earlier versions">
        <RevisionList revisions={revisions} chosenId={chosenId} onChoose={setChosenId} />
        {pageInfo.hasNextPage && <MoreButton load={loadMore} />}
      </nav>
      <RevisionView
        postId={post.id}
        listed={chosen}
        canRestore={post.viewerCanEdit}
        onRestored={() => {
          flash("Restored");
          void navigate(postPath(post.id));
        }}
        onOutdated={reload}
      />
    </div>
  );
}
