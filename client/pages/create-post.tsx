import { useQuery } from "@apollo/client/react";
import { Navigate, useNavigate } from "react-router-dom";
import { paths } from "../app/paths.ts";
import { useSession } from "../features/accounts/session.ts";
import { CreatePostForm } from "../features/posts/create-post-form.tsx";
import { CreatePostPageDocument } from "../generated/graphql.ts";
import { toast } from "../lib/toast.ts";
import { useHydrated } from "../lib/hydrated.ts";
import { Failure } from "../ui/failure.tsx";
import { PageHead } from "../ui/page-head.tsx";

export function CreatePostPage() {
  const hydrated = useHydrated();
  const signedIn = useSession() !== null;
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(CreatePostPageDocument);
  if (hydrated && !signedIn) return <Navigate to={paths.home} replace />;
  const onCreated = () => {
    void navigate(paths.home);
    toast.success("Your post is published", { autoClose: 2000 });
  };
  return (
    <>
      <PageHead title="Create New Post" />
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {signedIn && <CreatePostForm categories={data?.categories ?? []} onCreated={onCreated} />}
    </>
  );
}
