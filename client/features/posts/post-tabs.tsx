import { NavLink } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import "./post-tabs.css";

/** Shown to signed-in readers, from the first paint: the boot script knows of them before React does. */
export const PostTabs = () => (
  <nav className="post-tabs" aria-label="Lists of posts">
    <NavLink to={paths.posts} end>
      Everything
    </NavLink>
    <NavLink to={paths.following}>Following</NavLink>
  </nav>
);
