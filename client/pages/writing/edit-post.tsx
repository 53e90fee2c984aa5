import { useMutation } from "@apollo/client/react";
import { useEffect } from "react";
import { Navigate, useParams } from "react-router-dom";
import { draftPath } from "../../config/paths.ts";
import { UsersOnly } from "../../features/accounts/users-only.tsx";
import { EditPostDocument } from "../../generated/writing/graphql.ts";
import { PageTitle } from "../../ui/basics/page-title.tsx";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";

/** Opens the draft of a published post, which is made if there is none. */
export function EditPostPage() {
  const { id = "" } = useParams();
  return (
    <>
      <PageTitle name="Write" />
      <UsersOnly>{() => <EditPost key={id} id={id} />}</UsersOnly>
    </>
  );
}

function EditPost({ id }: { id: string }) {
  const [editPost, { data, error }] = useMutation(EditPostDocument, {
    variables: { id },
    errorPolicy: "all",
  });
  useEffect(() => void editPost(), [editPost]);
  if (error) return <ErrorNotice error={error} retry={() => void editPost()} />;
  if (!data) return <div className="page-loading" aria-busy="true" />;
  return <Navigate to={draftPath(data.editPost.id)} replace />;
}
