import { Link, useNavigate } from "react-router-dom";
import { draftPath, NEW_DRAFT, paths, postPath } from "../config/paths.ts";
import { UsersOnly } from "../features/accounts/users-only.tsx";
import { CreatePostForm } from "../features/posts/create-post-form.tsx";
import { flash } from "../lib/flash.ts";
import { PageHead } from "../ui/basics/page-head.tsx";
import "./create-post.css";

export function CreatePostPage() {
  const navigate = useNavigate();
  const onCreated = (id: string) => {
    flash("Your post is published", postPath(id));
    void navigate(paths.home);
  };
  return (
    <>
      <PageHead title="Create New Post" />
      <UsersOnly>
        {({ _id }) => (
          <>
            <p className="full-page meta">
              <Link to={draftPath(NEW_DRAFT)}>Write in full page</Link>
            </p>
            <CreatePostForm owner={_id} onCreated={onCreated} />
          </>
        )}
      </UsersOnly>
    </>
  );
}
