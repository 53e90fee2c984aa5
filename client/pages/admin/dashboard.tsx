import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { CountCards } from "../../features/admin/count-cards.tsx";
import { AddCategoryForm } from "../../features/categories/add-category-form.tsx";
import { AdminDashboardPageDocument } from "../../generated/admin/graphql.ts";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";

export const AdminDashboardPage = () => (
  <AdminsOnly>
    <AdminShell title="Dashboard">
      <Counts />
      <AddCategoryForm />
    </AdminShell>
  </AdminsOnly>
);

function Counts() {
  const { data, error, refetch } = useQuery(AdminDashboardPageDocument, { fetchPolicy: "cache-and-network" });
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />;
  const counts = data && {
    users: data.usersCount,
    posts: data.postsCount,
    categories: data.categoriesCount,
    comments: data.comments.totalCount,
  };
  return <CountCards counts={counts} days={data?.dailyCounts} />;
}
