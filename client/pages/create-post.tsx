import { useQuery } from "@apollo/client/react";
import { Navigate, useNavigate } from "react-router-dom";
import { paths } from "../app/paths.ts";
import { useSession } from "../features/accounts/session.ts";
import { CreatePostForm } from "../features/posts/create-post-form.tsx";
import { CreatePostPageDocument } from "../generated/graphql.ts";
import { toast } from "../lib/toast.ts";
import { useHydrated } from "../lib/hydrated.ts";
import { PageTitle } from "../ui/page-title.tsx";

export function CreatePostPage() {
  const hydrated = useHydrated();
  const signedIn = useSession() !== null;
  const navigate = useNavigate();
  const { data } = useQuery(CreatePostPageDocument);
  if (hydrated && !signedIn) return <Navigate to={paths.home} replace />;
  const onCreated = () => {
    void navigate(paths.home);
    toast.success("Your post is published", { autoClose: 2000 });
  };
  return (
    <>
      <PageTitle name="Create New Post" />
      <header className="page-head">
        <h1>Create New Post</h1>
      </header>
      {signedIn && <CreatePostForm categories={data?.categories ?? []} onCreated={onCreated} />}
    </>
  );
}
