import { useNavigate } from "react-router-dom";
import { paths } from "../app/paths.ts";
import { LoginForm } from "../features/accounts/login-form.tsx";
import { VisitorsOnly } from "../features/accounts/visitors-only.tsx";
import { PageHead } from "../ui/page-head.tsx";

export function LoginPage() {
  const navigate = useNavigate();
  return (
    <VisitorsOnly>
      <PageHead title="Login to your account" />
      <LoginForm onDone={() => void navigate(paths.home)} />
    </VisitorsOnly>
  );
}
