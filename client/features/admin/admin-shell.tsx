import type { ReactNode } from "react";
import { NavLink } from "react-router-dom";
import { paths } from "../../app/paths.ts";
import "./admin.css";

/** The admin pages: their own menu beside what they show. */
export const AdminShell = ({ children }: { children: ReactNode }) => (
  <div className="admin-shell">
    <nav aria-label="Admin">
      <NavLink to={paths.admin} end>
        Dashboard
      </NavLink>
      <NavLink to={paths.letters}>Letters</NavLink>
    </nav>
    <div>{children}</div>
  </div>
);
