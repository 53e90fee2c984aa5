import { Navigate, useNavigate } from "react-router-dom";
import { paths } from "../app/paths.ts";
import { LoginForm } from "../features/accounts/login-form.tsx";
import { useSession } from "../features/accounts/session.ts";
import { PageTitle } from "../ui/page-title.tsx";

export function LoginPage() {
  const navigate = useNavigate();
  if (useSession()) return <Navigate to={paths.home} replace />;
  return (
    <>
      <PageTitle name="Login" />
      <header className="page-head">
        <h1>Login to your account</h1>
      </header>
      <LoginForm onDone={() => void navigate(paths.home)} />
    </>
  );
}
