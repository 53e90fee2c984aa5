import { useQuery } from "@apollo/client/react";
import { useSearchParams } from "react-router-dom";
import { emailsPath } from "../../config/paths.ts";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { EmailList } from "../../features/emails/email-list.tsx";
import { EmailsPageDocument } from "../../generated/admin/graphql.ts";
import { parsePage } from "../../lib/parse-page.ts";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { Pager } from "../../ui/data/pager.tsx";

export const EmailsPage = () => (
  <AdminsOnly>
    <AdminShell title="Letters">
      <Emails />
    </AdminShell>
  </AdminsOnly>
);

function Emails() {
  const [search] = useSearchParams();
  const page = parsePage(search.get("page"));
  const { data, error, refetch } = useQuery(EmailsPageDocument, {
    variables: { page },
    fetchPolicy: "network-only",
  });
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
  return (
    <div className="page-loading" aria-busy={!data}>
      <p className="meta">This blog has no mail server: its letters stay here and in the outbox folder.</p>
      {data && <EmailList emails={data.letters.nodes} />}
      {data?.letters.nodes.length === 0 && (
        <p className="notice">No letters yet. Registering or resetting a password writes one.</p>
      )}
      {data && <Pager page={page} pages={data.letters.pages} pathOf={emailsPath} />}
    </div>
  );
}
