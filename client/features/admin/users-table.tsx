import { profilePath } from "../../config/paths.ts";
import { AdminDeleteUserDocument, type UserRowFragment } from "../../generated/admin/graphql.ts";
import type { ListParamsState } from "../../lib/use-list-params.ts";
import { Avatar } from "../../ui/basics/avatar.tsx";
import type { Column } from "../../ui/data/table.tsx";
import { ShortDate } from "../../ui/data/time.tsx";
import { AdminTable, type TableData } from "./admin-table.tsx";
import { RowActions } from "./row-actions.tsx";
import { useDeleteRow, type RowDeletion } from "./use-delete-row.tsx";

export function UsersTable(props: { address: ListParamsState; data: TableData<UserRowFragment> }) {
  const removal = useDeleteRow("User", AdminDeleteUserDocument);
  return (
    <AdminTable
      {...props}
      noun="users"
      columns={columnsFor(removal)}
      removal={removal}
      empty="No users yet."
    />
  );
}

const columnsFor = (removal: RowDeletion): Column<UserRowFragment>[] => [
  { title: "Count", sort: "createdAt", kind: "number", cell: (_user, number) => number.toLocaleString("en") },
  { title: "User", sort: "username", kind: "name", cell: (user) => <Name user={user} /> },
  { title: "Email", sort: "email", cell: ({ email }) => email },
  { title: "Joined", kind: "date", cell: ({ createdAt }) => <ShortDate iso={createdAt} /> },
  { title: "Posts", kind: "figure", cell: ({ postCount }) => postCount.toLocaleString("en") },
  { title: "Verified", kind: "figure", cell: (user) => (user.isAccountVerified ? "Yes" : "Not yet") },
  {
    title: "Action",
    kind: "actions pair",
    cell: ({ id }) => (
      <RowActions
        id={id}
        view={{ to: profilePath(id), label: "View Profile" }}
        deleteLabel="Delete User"
        removal={removal}
      />
    ),
  },
];

const Name = ({ user: { username, isAdmin, profilePhoto } }: { user: UserRowFragment }) => (
  <span className="person">
    <Avatar url={profilePhoto.url} srcset={profilePhoto.srcset} />
    <span className="clamped">
      {username} {isAdmin && <span className="meta">admin</span>}
    </span>
  </span>
);
