import { Link } from "react-router-dom";
import { tagPath } from "../../config/paths.ts";
import "./tag-list.css";

type Tag = { id: string; name: string };

export const TagList = ({ tags }: { tags: Tag[] }) =>
  tags.length > 0 && (
    <ul className="tag-list" aria-label="Tags">
      {tags.map(({ id, name }) => (
        <li key={id}>
          <Link to={tagPath(name)} rel="tag" dir="auto">
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
