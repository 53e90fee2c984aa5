import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";

/**
 * The state of a link to Login: the page to come back to, and the action to continue there. Stored in the history's
 * state, which links of other sites cannot set.
 */
export type LoginState = { from: string; then: "like" | "bookmark" | "comment" | "follow" };

/** Calls `act` once if login led back here to do this, as soon as the page is ready. */
export function useAfterLogin(action: LoginState["then"], isReady: boolean, act: () => void): void {
  const { state, pathname } = useLocation() as { state: Partial<LoginState> | null; pathname: string };
  const navigate = useNavigate();
  const isDue = isReady && state?.then === action;
  const isDone = useRef(false);
  const actOnce = useEffectEvent(() => {
    if (isDone.current) return;
    isDone.current = true;
    // A reload must not repeat it.
    void navigate(pathname, { replace: true, state: null });
    act();
  });
  useEffect(() => {
    if (isDue) actOnce();
  }, [isDue]);
}
