import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { UsersTable } from "../../features/admin/users-table.tsx";
import { AdminUsersPageDocument } from "../../generated/admin/graphql.ts";
import { useListParams } from "../../lib/use-list-params.ts";

export const AdminUsersPage = () => (
  <AdminsOnly>
    <AdminShell title="Users">
      <Users />
    </AdminShell>
  </AdminsOnly>
);

const SORTS = ["createdAt", "username", "email"];

function Users() {
  const address = useListParams(SORTS, "-createdAt");
  const { page, search, sort } = address;
  const { data, error, refetch } = useQuery(AdminUsersPageDocument, { variables: { page, search, sort } });
  const shown = {
    rows: data?.users.nodes,
    total: data?.users.totalCount,
    error,
    retry: () => void refetch(),
  };
  return <UsersTable address={address} data={shown} />;
}
