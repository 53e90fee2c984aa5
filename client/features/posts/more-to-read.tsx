import { Link } from "react-router-dom";
import { postPath } from "../../config/paths.ts";
import type { MoreToReadFragment } from "../../generated/graphql.ts";
import "./more-to-read.css";

type Linked = { id: string; title: string };

export const MoreToRead = ({ post }: { post: MoreToReadFragment }) => (
  <>
    {(post.previous || post.next) && (
      <nav className="post-neighbours" aria-label="By the same author">
        {post.previous && <Neighbour post={post.previous} name="Previous" rel="prev" />}
        {post.next && <Neighbour post={post.next} name="Next" rel="next" />}
      </nav>
    )}
    {post.related.length > 0 && (
      <section className="related-posts" aria-labelledby="related">
        <h2 id="related">Related posts</h2>
        <ul>
          {post.related.map(({ id, title, user }) => (
            <li key={id}>
              <Link to={postPath(id)} dir="auto">
                {title}
              </Link>
              <span className="meta" dir="auto">
                {user.username}
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
);

const Neighbour = ({ post, name, rel }: { post: Linked; name: string; rel: string }) => (
  <Link to={postPath(post.id)} rel={rel}>
    <span className="meta">{name}</span>
    <span dir="auto">{post.title}</span>
  </Link>
);
