import { Navigate, useNavigate } from "react-router-dom";
import { paths, postPath } from "../config/paths.ts";
import { hasExpired, useSession } from "../features/accounts/session.ts";
import { CreatePostForm } from "../features/posts/create-post-form.tsx";
import { flash } from "../lib/flash.ts";
import { useHydrated } from "../lib/hydrated.ts";
import { PageHead } from "../ui/basics/page-head.tsx";

export function CreatePostPage() {
  const hydrated = useHydrated();
  const session = useSession();
  const navigate = useNavigate();
  if (hydrated && !session) return <Redirect />;
  const onCreated = (id: string) => {
    flash("Your post is published", postPath(id));
    void navigate(paths.home);
  };
  return (
    <>
      <PageHead title="Create New Post" />
      {session ? (
        <CreatePostForm owner={session._id} onCreated={onCreated} />
      ) : (
        <div className="page-loading" aria-busy="true" />
      )}
    </>
  );
}

/** Sends an expired session to the login and back; any other visitor goes home. */
const Redirect = () =>
  hasExpired() ? (
    <Navigate to={paths.login} state={{ from: paths.createPost }} replace />
  ) : (
    <Navigate to={paths.home} replace />
  );
