import { useQuery } from "@apollo/client/react";
import { AdminsOnly } from "../../features/accounts/admins-only.tsx";
import { AdminShell } from "../../features/admin/admin-shell.tsx";
import { PostsTable } from "../../features/admin/posts-table.tsx";
import { AdminPostsPageDocument } from "../../generated/admin/graphql.ts";
import { useListParams } from "../../lib/use-list-params.ts";

export const AdminPostsPage = () => (
  <AdminsOnly>
    <AdminShell title="Posts">
      <Posts />
    </AdminShell>
  </AdminsOnly>
);

const SORTS = ["createdAt", "title", "author"];

function Posts() {
  const address = useListParams(SORTS, "-createdAt");
  const { page, search, sort } = address;
  const { data, error, refetch } = useQuery(AdminPostsPageDocument, { variables: { page, search, sort } });
  const shown = {
    rows: data?.posts.nodes,
    total: data?.posts.totalCount,
    error,
    retry: () => void refetch(),
  };
  return <PostsTable address={address} data={shown} />;
}
