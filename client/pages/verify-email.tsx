import { Link, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { useVerifyEmail } from "../features/accounts/use-verify-email.ts";
import { VisitorsOnly } from "../features/accounts/visitors-only.tsx";
import { PageHead } from "../ui/basics/page-head.tsx";

export const VerifyEmailPage = () => (
  <VisitorsOnly>
    <Verification />
  </VisitorsOnly>
);

function Verification() {
  const { userId = "", token = "" } = useParams();
  const state = useVerifyEmail(userId, token);
  if (state === "pending") return <div className="page-loading" aria-busy="true" />;
  if (state === "failed") return <PageHead title="Not Found" />;
  return (
    <>
      <PageHead title="Your email address has been successfully verified" />
      <p>
        <Link to={paths.login}>Go To Login Page</Link>
      </p>
    </>
  );
}
