import { useState, type ReactNode } from "react";
import { Link, Navigate } from "react-router-dom";
import { maxLengths } from "../../config/limits.ts";
import type { ListParamsState } from "../../lib/use-list-params.ts";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { Pager } from "../../ui/data/pager.tsx";
import { SearchField } from "../../ui/forms/search-field.tsx";
import { Table, type Column } from "../../ui/data/table.tsx";
import type { RowDeletion } from "./use-delete-row.tsx";

const ROWS_PER_PAGE = 20;

/** The data of one page of the table; `rows` and `total` are undefined while loading. */
export type TableData<Row> = {
  rows: readonly Row[] | undefined;
  total: number | undefined;
  error: unknown;
  retry: () => void;
};

type Props<Row> = {
  noun: string;
  address: ListParamsState;
  data: TableData<Row>;
  columns: Column<Row>[];
  removal?: RowDeletion;
  empty: ReactNode;
};

export function AdminTable<Row extends { id: string }>(props: Props<Row>) {
  const { noun, address, data, columns, removal, empty } = props;
  const { rows, total, page } = useShown(data, address.page);
  const isBusy = !data.rows && !data.error;
  const pages = Math.ceil((total ?? 0) / ROWS_PER_PAGE);
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  // The last row of the last page was deleted, or the page number in the URL is too large.
  if (data.rows?.length === 0 && pages > 0 && address.page > pages)
    return <Navigate to={address.pathOf({ page: pages })} state={{ keepsScroll: true }} replace />;
  return (
    <>
      <div className="table-tools">
        <SearchField
          label={`Search ${noun}`}
          value={address.search}
          maxLength={maxLengths.search}
          onSearch={address.searchFor}
        />
        <p className="meta" role="status">
          {rows && total !== undefined && rangeOf(first, rows.length, total)}
        </p>
      </div>
      {data.error && !data.rows ? (
        <ErrorNotice error={data.error} retry={data.retry} />
      ) : total === 0 && !isBusy ? (
        <div className="notice">
          {address.search ? <NothingFound noun={noun} address={address} /> : empty}
        </div>
      ) : (
        <Table
          caption={`All ${noun}`}
          columns={columns}
          rows={rows}
          size={ROWS_PER_PAGE}
          first={first}
          sort={address.sort}
          onSort={address.sortBy}
          busy={isBusy}
          isPending={(row) => removal?.isPending(row.id) ?? false}
        />
      )}
      <Pager page={address.page} pages={pages} pathOf={(each) => address.pathOf({ page: each })} />
      {removal?.dialog}
    </>
  );
}

/** Keeps the previous rows and their page number on screen until the new rows are loaded. */
function useShown<Row>({ rows, total }: TableData<Row>, page: number) {
  const [shown, setShown] = useState({ rows, total, page });
  const isNew = rows !== shown.rows || total !== shown.total || page !== shown.page;
  if (rows && isNew) setShown({ rows, total, page });
  return shown;
}

const rangeOf = (first: number, length: number, total: number) =>
  length === 0 ? "" : `${format(first)}–${format(first + length - 1)} of ${format(total)}`;

const format = (number: number) => number.toLocaleString("en");

const NothingFound = ({ noun, address }: { noun: string; address: ListParamsState }) => (
  <p>
    No {noun} match “{address.search}”.{" "}
    <Link to={address.pathOf({ search: "", page: 1 })}>Show all {noun}</Link>
  </p>
);
