import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../features/accounts/admins-only.tsx";
import { AdminShell } from "../features/admin/admin-shell.tsx";
import { CountCards } from "../features/admin/count-cards.tsx";
import { AddCategoryForm } from "../features/categories/add-category-form.tsx";
import { AdminDashboardPageDocument } from "../generated/graphql.ts";
import { Failure } from "../ui/failure.tsx";
import { PageHead } from "../ui/page-head.tsx";

export const AdminDashboardPage = () => (
  <AdminsOnly>
    <AdminShell>
      <PageHead title="Dashboard" />
      <Counts />
      <AddCategoryForm />
    </AdminShell>
  </AdminsOnly>
);

function Counts() {
  const { data, error, refetch } = useQuery(AdminDashboardPageDocument, { fetchPolicy: "cache-and-network" });
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  const counts: [string, number][] = [
    ["Users", data?.usersCount ?? 0],
    ["Posts", data?.postsCount ?? 0],
    ["Categories", data?.categories.length ?? 0],
    ["Comments", data?.comments.totalCount ?? 0],
  ];
  return <CountCards counts={counts} />;
}
