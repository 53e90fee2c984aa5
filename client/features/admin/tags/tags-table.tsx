import { useState } from "react";
import { Link } from "react-router-dom";
import { tagPath } from "../../../config/paths.ts";
import type { TagRowFragment } from "../../../generated/admin/graphql.ts";
import type { ListParamsState } from "../../../lib/use-list-params.ts";
import { rowNameId, type Column } from "../../../ui/data/table.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { AdminTable, type TableData } from "../admin-table.tsx";
import { ClampedText } from "../clamped-text.tsx";
import { MergeTagDialog } from "./merge-tag-dialog.tsx";
import { RenameTagDialog } from "./rename-tag-dialog.tsx";

type Change = { Dialog: typeof RenameTagDialog; tag: TagRowFragment };

export function TagsTable(props: { address: ListParamsState; data: TableData<TagRowFragment> }) {
  const [change, setChange] = useState<Change | null>(null);
  return (
    <>
      <AdminTable
        {...props}
        noun="tags"
        columns={columnsFor(setChange)}
        empty={<p>No post has a tag yet. Authors can give each post up to five.</p>}
      />
      {change && <change.Dialog tag={change.tag} onClose={() => setChange(null)} />}
    </>
  );
}

const columnsFor = (onChange: (change: Change) => void): Column<TagRowFragment>[] => [
  { title: "Count", sort: "createdAt", kind: "number", cell: (_row, number) => number.toLocaleString("en") },
  {
    title: "Tag",
    sort: "name",
    kind: "name",
    cell: ({ name, postCount }) => (
      <>
        <ClampedText text={name} />
        <span className="meta">{countOf(postCount)}</span>
      </>
    ),
  },
  {
    title: "Action",
    kind: "actions wide",
    cell: (tag) => {
      const button = (label: string, Dialog: Change["Dialog"]) => (
        <Button
          type="button"
          variant="quiet"
          aria-describedby={rowNameId(tag.id)}
          onClick={() => onChange({ Dialog, tag })}
        >
          {label}
        </Button>
      );
      return (
        <>
          <Link className="button quiet" to={tagPath(tag.name)} aria-describedby={rowNameId(tag.id)}>
            View Posts
          </Link>
          {button("Rename", RenameTagDialog)}
          {button("Merge", MergeTagDialog)}
        </>
      );
    },
  },
];

const countOf = (posts: number) => `${posts.toLocaleString("en")} ${posts === 1 ? "post" : "posts"}`;
