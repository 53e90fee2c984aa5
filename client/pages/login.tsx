import { LoginForm } from "../features/accounts/login-form.tsx";
import { VisitorsOnly } from "../features/accounts/visitors-only.tsx";
import { PageHead } from "../ui/basics/page-head.tsx";

export const LoginPage = () => (
  <VisitorsOnly>
    <PageHead title="Login to your account" />
    <LoginForm />
  </VisitorsOnly>
);
