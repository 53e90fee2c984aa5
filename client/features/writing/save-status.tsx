import { Link, useLocation } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import type { SaveState } from "./autosave.ts";
import { describeState } from "./describe-state.ts";

export function SaveStatus({ state, isStored }: { state: SaveState; isStored: boolean }) {
  const { pathname } = useLocation();
  return (
    <p className="save-status meta">
      <span role="status">{describeState(state, isStored)}</span>
      {state.kind === "signed-out" && (
        <>
          {" · "}
          <Link to={paths.login} state={{ from: pathname }}>
            Log in
          </Link>
        </>
      )}
    </p>
  );
}
