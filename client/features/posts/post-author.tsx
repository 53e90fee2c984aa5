import { Link } from "react-router-dom";
import { profilePath } from "../../config/paths.ts";
import type { PostArticleFragment } from "../../generated/graphql.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import { LinkedText } from "../../ui/basics/linked-text.tsx";

export const PostAuthor = ({ user }: Pick<PostArticleFragment, "user">) => (
  <section className="post-author" aria-label="The author">
    <Avatar url={user.profilePhoto.url} srcset={user.profilePhoto.srcset} size="medium" />
    <div>
      <p className="name">
        <Link to={profilePath(user.id)} rel="author" dir="auto">
          {user.username}
        </Link>
      </p>
      {user.bio && <LinkedText className="bio" text={user.bio} />}
    </div>
  </section>
);
