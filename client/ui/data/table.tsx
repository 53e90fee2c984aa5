import { useRef, type ReactNode } from "react";
import { SortIcon } from "../basics/icons.tsx";
import { useRowFocus } from "./use-row-focus.ts";
import "./table.css";

export type Column<Row> = {
  title: string;
  sort?: string;
  /** `name` is the row header; `actions` is the last column, with a button, a `pair` of buttons or three. */
  kind?:
    "number" | "name" | "minor" | "short" | "date" | "figure" | "actions" | "actions pair" | "actions wide";
  cell: (row: Row, number: number) => ReactNode;
};

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  /** Undefined while loading: placeholder rows then reserve the space. */
  rows: readonly Row[] | undefined;
  size: number;
  first: number;
  /** A column's `sort`, prefixed with `-` for descending. */
  sort: string;
  onSort: (sort: string) => void;
  busy: boolean;
  isPending: (row: Row) => boolean;
};

/** The id of the row's header, for its buttons' aria-describedby. */
export const rowNameId = (id: string) => `row-${id}`;

/** On small screens each row becomes a card. Changing `display` drops the native table roles, hence the ARIA roles. */
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
  const order = sort === field ? "ascending" : sort === `-${field}` ? "descending" : undefined;
  return (
    <th scope="col" role="columnheader" className={kind} aria-sort={order}>
      {field === undefined ? (
        <span>{title}</span>
      ) : (
        <button type="button" onClick={() => onSort(sort === field ? `-${field}` : field)}>
          {title}
          <SortIcon order={order ?? "none"} />
        </button>
      )}
    </th>
  );
}

type CellProps<Row> = { column: Column<Row>; id: string; children: ReactNode };

const Cell = <Row,>({ column: { title, kind }, id, children }: CellProps<Row>) =>
  kind === "name" ? (
    <th scope="row" role="rowheader" className={kind} id={rowNameId(id)} data-label={title} dir="auto">
      {children}
    </th>
  ) : (
    <td role="cell" className={kind} data-label={title} dir="auto">
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
