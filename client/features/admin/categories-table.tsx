import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { AdminDeleteCategoryDocument, type CategoryRowFragment } from "../../generated/admin/graphql.ts";
import type { ListParamsState } from "../../lib/use-list-params.ts";
import type { Column } from "../../ui/data/table.tsx";
import { AdminTable, type TableData } from "./admin-table.tsx";
import { ClampedText } from "./clamped-text.tsx";
import { RowActions } from "./row-actions.tsx";
import { useDeleteRow, type RowDeletion } from "./use-delete-row.tsx";

export function CategoriesTable(props: { address: ListParamsState; data: TableData<CategoryRowFragment> }) {
  const removal = useDeleteRow("Category", AdminDeleteCategoryDocument);
  return (
    <AdminTable
      {...props}
      noun="categories"
      columns={columnsFor(removal)}
      removal={removal}
      empty={<NoCategories />}
    />
  );
}

const columnsFor = (removal: RowDeletion): Column<CategoryRowFragment>[] => [
  { title: "Count", sort: "createdAt", kind: "number", cell: (_row, number) => number.toLocaleString("en") },
  {
    title: "Category Title",
    sort: "title",
    kind: "name",
    cell: ({ title, postCount }) => (
      <>
        <ClampedText text={title} />
        <span className="meta">
          {postCount.toLocaleString("en")} {postCount === 1 ? "post" : "posts"}
        </span>
      </>
    ),
  },
  {
    title: "Action",
    kind: "actions",
    cell: ({ id }) => <RowActions id={id} deleteLabel="Delete Category" removal={removal} />,
  },
];

const NoCategories = () => (
  <p>
    There are no categories yet. <Link to={paths.admin}>Add the first one</Link>
  </p>
);
