import { Link } from "react-router-dom";
import { paths, postPath, profilePath } from "../../config/paths.ts";
import { AdminDeletePostDocument, type PostRowFragment } from "../../generated/admin/graphql.ts";
import type { ListParamsState } from "../../lib/use-list-params.ts";
import type { Column } from "../../ui/data/table.tsx";
import { ShortDate } from "../../ui/data/time.tsx";
import { AdminTable, type TableData } from "./admin-table.tsx";
import { ClampedText } from "./clamped-text.tsx";
import { RowActions } from "./row-actions.tsx";
import { useDeleteRow, type RowDeletion } from "./use-delete-row.tsx";

export function PostsTable(props: { address: ListParamsState; data: TableData<PostRowFragment> }) {
  const removal = useDeleteRow("Post", AdminDeletePostDocument);
  return (
    <AdminTable {...props} noun="posts" columns={columnsFor(removal)} removal={removal} empty={<NoPosts />} />
  );
}

const columnsFor = (removal: RowDeletion): Column<PostRowFragment>[] => [
  { title: "Count", sort: "createdAt", kind: "number", cell: (_post, number) => number.toLocaleString("en") },
  {
    title: "User",
    sort: "author",
    kind: "minor",
    cell: ({ user }) => <Link to={profilePath(user.id)}>{user.username}</Link>,
  },
  { title: "Post Title", sort: "title", kind: "name", cell: ({ title }) => <ClampedText text={title} /> },
  { title: "Date", kind: "date", cell: ({ createdAt }) => <ShortDate iso={createdAt} /> },
  { title: "Category", kind: "short", cell: ({ category }) => <ClampedText text={category} /> },
  { title: "Likes", kind: "figure", cell: ({ likeCount }) => likeCount.toLocaleString("en") },
  {
    title: "Action",
    kind: "actions pair",
    cell: ({ id }) => (
      <RowActions
        id={id}
        view={{ to: postPath(id), label: "View Post" }}
        deleteLabel="Delete Post"
        removal={removal}
      />
    ),
  },
];

const NoPosts = () => (
  <p>
    Nobody has written anything yet. <Link to={paths.createPost}>Write the first post</Link>
  </p>
);
