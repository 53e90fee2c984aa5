import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { CategoriesTable } from "../../features/admin/categories-table.tsx";
import { AdminCategoriesPageDocument } from "../../generated/admin/graphql.ts";
import { useListParams } from "../../lib/use-list-params.ts";

export const AdminCategoriesPage = () => (
  <AdminsOnly>
    <AdminShell title="Categories">
      <Categories />
    </AdminShell>
  </AdminsOnly>
);

const SORTS = ["createdAt", "title", "postCount"];

function Categories() {
  const address = useListParams(SORTS, "createdAt");
  const { page, search, sort } = address;
  const { data, error, refetch } = useQuery(AdminCategoriesPageDocument, {
    variables: { page, search, sort },
  });
  const shown = { rows: data?.categories, total: data?.categoriesCount, error, retry: () => void refetch() };
  return <CategoriesTable address={address} data={shown} />;
}
