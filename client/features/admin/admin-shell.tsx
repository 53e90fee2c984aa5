import type { ReactNode } from "react";
import { NavLink } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useSite } from "../../lib/site.ts";
import { PageHead } from "../../ui/basics/page-head.tsx";
import "./admin.css";

export const AdminShell = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="admin-shell">
    <nav aria-label="Admin">
      <NavLink to={paths.admin} end>
        Dashboard
      </NavLink>
      <NavLink to={paths.usersTable}>Users</NavLink>
      <NavLink to={paths.postsTable}>Posts</NavLink>
      <NavLink to={paths.categoriesTable}>Categories</NavLink>
      <NavLink to={paths.commentsTable}>Comments</NavLink>
      <NavLink to={paths.tagsTable}>Tags</NavLink>
      {!useSite().hasMailServer && <NavLink to={paths.emails}>Letters</NavLink>}
    </nav>
    <div>
      <PageHead title={title} />
      {children}
    </div>
  </div>
);
