import { hasExpired } from "../features/accounts/session.ts";
import { LoginForm } from "../features/accounts/login-form.tsx";
import { VisitorsOnly } from "../features/accounts/visitors-only.tsx";
import { hasDrafts } from "../lib/drafts/drafts.ts";
import { useHydrated } from "../lib/hydrated.ts";
import { PageHead } from "../ui/basics/page-head.tsx";
import "./auth.css";

export const LoginPage = () => (
  <VisitorsOnly>
    <PageHead title="Login to your account" />
    <SavedText />
    <LoginForm />
  </VisitorsOnly>
);

/** Only an expired session leaves a draft of a signed-out user. */
const SavedText = () =>
  useHydrated() &&
  hasExpired() &&
  hasDrafts() && (
    <p className="saved-text">
      Your session has ended. Your text is kept: log in, and it is where you left it.
    </p>
  );
