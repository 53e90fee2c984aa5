import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from "react";

type Place = { control: HTMLElement; row: number; index: number };

/**
 * When the row that has the focus goes, the focus goes to the same place in the row that moves up, else
 * in the one before, and to the body of the table where no row is left.
 * @returns what the body of the table is to do on focus
 */
export function useRowFocus(body: RefObject<HTMLTableSectionElement | null>, rows: unknown) {
  const place = useRef<Place>(null);
  useLayoutEffect(() => {
    const last = place.current;
    const isLost = last && !last.control.isConnected && document.activeElement === document.body;
    if (!isLost || !body.current) return;
    const left = body.current.rows;
    const next = left.item(Math.min(last.row, left.length - 1));
    ((next && controlsOf(next)[last.index]) ?? body.current).focus();
  }, [body, rows]);
  return ({ target: control }: FocusEvent) => {
    const row = control.closest("tr");
    if (row && control instanceof HTMLElement)
      place.current = { control, row: row.sectionRowIndex, index: controlsOf(row).indexOf(control) };
  };
}

const controlsOf = (row: HTMLTableRowElement) => [...row.querySelectorAll<HTMLElement>("a, button")];
