import { useQuery } from "@apollo/client/react";
import { useEffect, useState } from "react";
import { Link, Navigate, useLocation, useNavigate, useParams } from "react-router-dom";
import { draftPath, historyPath, NEW_DRAFT, paths, postPath } from "../../config/paths.ts";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { dropCopy, storeCopy, readCopy } from "../../features/writing/browser-copies.ts";
import type { Content } from "../../features/writing/content.ts";
import { PostText } from "../../features/posts/post-text.tsx";
import { DraftEditor } from "../../features/writing/draft-editor.tsx";
import type { DraftKey } from "../../features/writing/use-autosave.ts";
import { reconcile } from "../../features/writing/reconcile.ts";
import { DraftPageDocument } from "../../generated/writing/graphql.ts";
import { flash } from "../../lib/flash.ts";
import { isId } from "../../lib/is-id.ts";
import { newId } from "../../lib/new-id.ts";
import { PageTitle } from "../../ui/basics/page-title.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { NotFound } from "../../ui/feedback/not-found.tsx";

export function DraftPage() {
  const { id = "" } = useParams();
  return (
    <>
      <PageTitle name="Write" />
      <UsersOnly staysOpen>
        {({ _id }, isSignedIn) =>
          id === NEW_DRAFT ? (
            <Navigate to={draftPath(newId())} state={{ isNew: true }} replace />
          ) : isId(id) ? (
            <Draft key={`${_id} ${id}`} id={id} owner={_id} isSignedIn={isSignedIn} />
          ) : (
            <NotFound message="invalid id" />
          )
        }
      </UsersOnly>
    </>
  );
}

type DraftPageState = { isNew?: boolean; startsWithTime?: boolean };

/** A draft that was begun offline has not reached the server yet. */
function Draft({ id, owner, isSignedIn }: DraftKey) {
  const { isNew, startsWithTime = false } = (useLocation().state ?? {}) as DraftPageState;
  const navigate = useNavigate();
  const { data, error, refetch } = useDraft(id, isSignedIn);
  const [copy] = useState(() => readCopy(owner, id));
  const isOpenOffline = error && (isNew || copy);
  if (error && !data && !isOpenOffline) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (!data && !isOpenOffline) return <div className="page-loading" aria-busy="true" />;
  if (data && !data.draft && !isNew && !copy) return <NotFound message="draft not found" />;
  const saveAsNew = (content: Content) => {
    const other = newId();
    storeCopy(owner, other, { ...content, version: 0 });
    dropCopy(owner, id);
    void navigate(draftPath(other), { state: { isNew: true } });
  };
  return (
    <DraftEditor
      draftKey={{ owner, id, isSignedIn }}
      start={reconcile(data?.draft ?? null, copy)}
      categories={data?.categories.map(({ title }) => title) ?? []}
      back={<Link to={paths.drafts}>‹ Your drafts</Link>}
      history={data?.draft?.post && <Link to={historyPath(data.draft.post.id)}>History</Link>}
      renderText={(html) => <PostText html={html} />}
      publication={{
        isUpdate: Boolean(data?.draft?.post),
        hasCover: Boolean(data?.draft?.picture),
        publishAt: data?.draft?.publishAt ?? null,
        publishError: data?.draft?.publishError ?? null,
        tags: data?.draft?.tags ?? [],
        onPublished: (postId) => {
          flash(data?.draft?.post ? "Saved" : "Your post is published");
          void navigate(postPath(postId));
        },
      }}
      startsWithTime={startsWithTime}
      onSaveAsNew={saveAsNew}
    />
  );
}

function useDraft(id: string, isSignedIn: boolean) {
  const { data, error, refetch } = useQuery(DraftPageDocument, {
    variables: { id },
    // The text may have been written elsewhere; after that the editor knows better than the cache.
    fetchPolicy: "network-only",
    nextFetchPolicy: "cache-only",
  });
  // The end of a session empties the cache; an open editor goes on with what it has read.
  const [last, setLast] = useState(data);
  if (isSignedIn && data && data !== last) setLast(data);
  useEffect(() => {
    if (isSignedIn) return;
    return () => void refetch().catch(() => undefined);
  }, [isSignedIn, refetch]);
  return { data: (isSignedIn && data) || last, error, refetch };
}
