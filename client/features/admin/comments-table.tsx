import { Link } from "react-router-dom";
import { paths, postPath, profilePath } from "../../config/paths.ts";
import { AdminDeleteCommentDocument, type CommentRowFragment } from "../../generated/admin/graphql.ts";
import type { ListParamsState } from "../../lib/use-list-params.ts";
import type { Column } from "../../ui/data/table.tsx";
import { TimeAgo } from "../../ui/data/time.tsx";
import { AdminTable, type TableData } from "./admin-table.tsx";
import { RowActions } from "./row-actions.tsx";
import { useDeleteRow, type RowDeletion } from "./use-delete-row.tsx";

export function CommentsTable(props: { address: ListParamsState; data: TableData<CommentRowFragment> }) {
  const removal = useDeleteRow("Comment", AdminDeleteCommentDocument);
  return (
    <AdminTable
      {...props}
      noun="comments"
      columns={columnsFor(removal)}
      removal={removal}
      empty={<NoComments />}
    />
  );
}

const columnsFor = (removal: RowDeletion): Column<CommentRowFragment>[] => [
  { title: "Count", sort: "createdAt", kind: "number", cell: (_row, number) => number.toLocaleString("en") },
  {
    title: "User",
    sort: "author",
    kind: "minor",
    cell: ({ user }) => <Link to={profilePath(user.id)}>{user.username}</Link>,
  },
  { title: "Comment", kind: "name", cell: (comment) => <CommentText comment={comment} /> },
  {
    title: "Action",
    kind: "actions",
    cell: ({ id }) => <RowActions id={id} deleteLabel="Delete Comment" removal={removal} />,
  },
];

const CommentText = ({ comment: { text, post, createdAt } }: { comment: CommentRowFragment }) => (
  <>
    <p className="comment-text">{text}</p>
    <p className="meta">
      on <Link to={postPath(post.id)}>{post.title}</Link> · <TimeAgo iso={createdAt} />
    </p>
  </>
);

const NoComments = () => (
  <p>
    Nobody has commented yet. <Link to={paths.posts}>Read the posts</Link>
  </p>
);
