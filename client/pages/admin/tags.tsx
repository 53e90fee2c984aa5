import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { TagsTable } from "../../features/admin/tags/tags-table.tsx";
import { AdminTagsPageDocument } from "../../generated/admin/graphql.ts";
import { useListParams } from "../../lib/use-list-params.ts";

export const AdminTagsPage = () => (
  <AdminsOnly>
    <AdminShell title="Tags">
      <Tags />
    </AdminShell>
  </AdminsOnly>
);

const SORTS = ["createdAt", "name", "postCount"];

function Tags() {
  const address = useListParams(SORTS, "createdAt");
  const { page, search, sort } = address;
  const { data, error, refetch } = useQuery(AdminTagsPageDocument, { variables: { page, search, sort } });
  const { nodes: rows, totalCount: total } = data?.tags ?? {};
  return <TagsTable address={address} data={{ rows, total, error, retry: () => void refetch() }} />;
}
