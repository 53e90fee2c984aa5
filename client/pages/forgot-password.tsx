import { ForgotPasswordForm } from "../features/accounts/password-reset-forms.tsx";
import { PageHead } from "../ui/basics/page-head.tsx";

export const ForgotPasswordPage = () => (
  <>
    <PageHead title="Forgot Password" />
    <ForgotPasswordForm />
  </>
);
