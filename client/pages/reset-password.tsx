import { useQuery } from "@apollo/client/react";
import { Link, useNavigate, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { ResetPasswordForm } from "../features/accounts/password-reset-forms.tsx";
import { ResetLinkValidDocument } from "../generated/forms/graphql.ts";
import { ErrorNotice } from "../ui/feedback/error-notice.tsx";
import { PageHead } from "../ui/basics/page-head.tsx";
import "./auth.css";

const UnknownLink = () => (
  <>
    <PageHead title="Not Found" />
    <div className="dead-end">
      <p>
        This link does not work, or no longer: a link to reset a password is valid for an hour, works once,
        and ends when you request a newer one.
      </p>
      <p>
        <Link to={paths.forgotPassword}>Request a new link</Link>
      </p>
    </div>
  </>
);

export function ResetPasswordPage() {
  const { userId = "", token = "" } = useParams();
  const navigate = useNavigate();
  // Queried in the browser only: the HTML must not depend on the token.
  const link = useQuery(ResetLinkValidDocument, {
    variables: { userId, token },
    ssr: false,
    fetchPolicy: "no-cache",
  });
  if (link.error) return <ErrorNotice error={link.error} retry={() => void link.refetch()} />;
  if (!link.data) return <div className="page-loading" aria-busy="true" />;
  if (!link.data.resetLinkValid) return <UnknownLink />;
  return (
    <>
      <PageHead title="Reset Password" />
      <ResetPasswordForm userId={userId} token={token} onDone={() => void navigate(paths.login)} />
    </>
  );
}
