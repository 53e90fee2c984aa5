import { Link, useParams } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { useVerifyEmail } from "../features/accounts/use-verify-email.ts";
import { VisitorsOnly } from "../features/accounts/visitors-only.tsx";
import { PageHead } from "../ui/basics/page-head.tsx";
import "./auth.css";

export const VerifyEmailPage = () => (
  <VisitorsOnly>
    <Verification />
  </VisitorsOnly>
);

const UnknownLink = () => (
  <>
    <PageHead title="Not Found" />
    <div className="dead-end">
      <p>
        This link does not work, or no longer: a link to verify an address is valid for a day. If you have
        verified yours before, just log in. If not, log in all the same, and we send you a new link.
      </p>
      <p>
        <Link to={paths.login}>Go To Login Page</Link>
      </p>
    </div>
  </>
);

function Verification() {
  const { userId = "", token = "" } = useParams();
  const state = useVerifyEmail(userId, token);
  if (state === "pending") return <div className="page-loading" aria-busy="true" />;
  if (state === "failed") return <UnknownLink />;
  return (
    <>
      <PageHead title="Your email address has been successfully verified" />
      <p>
        <Link to={paths.login}>Go To Login Page</Link>
      </p>
    </>
  );
}
