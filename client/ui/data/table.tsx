import { useRef, type ReactNode } from "react";
import { SortIcon } from "../basics/icons.tsx";
import { useRowFocus } from "./use-row-focus.ts";
import "./table.css";

export type Column<Row> = {
  title: string;
  /** What a list is sorted by at a press on the title. */
  sort?: string;
  /** A `name` says which row it is; what is `minor` is narrow; `actions` stand at the end, one or two of them. */
  kind?: "number" | "name" | "minor" | "actions" | "actions wide";
  cell: (row: Row, number: number) => ReactNode;
};

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  /** Undefined until the first ones are there: as many empty rows hold their place. */
  rows: readonly Row[] | undefined;
  size: number;
  /** The running number of the first row. */
  first: number;
  /** A column's `sort`, with `-` before it for descending. */
  sort: string;
  onSort: (sort: string) => void;
  /** While other rows are on their way. */
  busy: boolean;
  /** Whether something is being done to a row. */
  isPending: (row: Row) => boolean;
};

/** The id of what names a row, for its buttons to be described by. */
export const rowNameId = (id: string) => `row-${id}`;

/**
 * A sortable table; on small screens each row becomes a card. Browsers forget what a table is when its
 * display is another, hence the roles.
 */
export function Table<Row extends { id: string }>(props: Props<Row>) {
  const { caption, columns, rows, size, first, busy, isPending } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const onFocus = useRowFocus(body, rows);
  return (
    <table className="table" role="table" aria-busy={busy}>
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Head key={column.title} column={column} sort={props.sort} onSort={props.onSort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body} tabIndex={-1} onFocus={onFocus}>
        {rows?.map((row, index) => (
          <tr key={row.id} role="row" aria-busy={isPending(row) || undefined}>
            {columns.map((column) => (
              <Cell key={column.title} column={column} id={row.id}>
                {column.cell(row, first + index)}
              </Cell>
            ))}
          </tr>
        ))}
        {!rows && Array.from({ length: size }, (_, index) => <EmptyRow key={index} columns={columns} />)}
      </tbody>
    </table>
  );
}

type HeadProps<Row> = { column: Column<Row>; sort: string; onSort: (sort: string) => void };

function Head<Row>({ column: { title, sort: field, kind }, sort, onSort }: HeadProps<Row>) {
  const way = sort === field ? "ascending" : sort === `-${field}` ? "descending" : undefined;
  return (
    <th scope="col" role="columnheader" className={kind} aria-sort={way}>
      {field === undefined ? (
        <span>{title}</span>
      ) : (
        <button type="button" onClick={() => onSort(sort === field ? `-${field}` : field)}>
          {title}
          <SortIcon way={way ?? "none"} />
        </button>
      )}
    </th>
  );
}

type CellProps<Row> = { column: Column<Row>; id: string; children: ReactNode };

const Cell = <Row,>({ column: { title, kind }, id, children }: CellProps<Row>) =>
  kind === "name" ? (
    <th scope="row" role="rowheader" className={kind} id={rowNameId(id)} data-label={title}>
      {children}
    </th>
  ) : (
    <td role="cell" className={kind} data-label={title}>
      {children}
    </td>
  );

const EmptyRow = <Row,>({ columns }: { columns: Column<Row>[] }) => (
  <tr aria-hidden="true">
    {columns.map(({ title, kind }) => (
      <td key={title} className={kind} data-label={title}>
        <span className="skeleton" />
      </td>
    ))}
  </tr>
);
