import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { CommentsTable } from "../../features/admin/comments-table.tsx";
import { AdminCommentsPageDocument } from "../../generated/admin/graphql.ts";
import { useListParams } from "../../lib/use-list-params.ts";

export const AdminCommentsPage = () => (
  <AdminsOnly>
    <AdminShell title="Comments">
      <Comments />
    </AdminShell>
  </AdminsOnly>
);

const SORTS = ["createdAt", "author"];

function Comments() {
  const address = useListParams(SORTS, "-createdAt");
  const { page, search, sort } = address;
  const { data, error, refetch } = useQuery(AdminCommentsPageDocument, { variables: { page, search, sort } });
  const shown = {
    rows: data?.comments.nodes,
    total: data?.comments.totalCount,
    error,
    retry: () => void refetch(),
  };
  return <CommentsTable address={address} data={shown} />;
}
