import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from "react";

type Position = { control: HTMLElement; row: number; index: number };

/**
 * When the focused row is removed, moves the focus to the same control of the row that takes its position, else of the
 * previous row, else to the table body.
 * @returns the focus handler for the table body
 */
export function useRowFocus(body: RefObject<HTMLTableSectionElement | null>, rows: unknown) {
  const position = useRef<Position>(null);
  useLayoutEffect(() => {
    const previous = position.current;
    const isLost = previous && !previous.control.isConnected && document.activeElement === document.body;
    if (!isLost || !body.current) return;
    const remaining = body.current.rows;
    const next = remaining.item(Math.min(previous.row, remaining.length - 1));
    ((next && controlsOf(next)[previous.index]) ?? body.current).focus();
  }, [body, rows]);
  return ({ target: control }: FocusEvent) => {
    const row = control.closest("tr");
    if (row && control instanceof HTMLElement)
      position.current = { control, row: row.sectionRowIndex, index: controlsOf(row).indexOf(control) };
  };
}

const controlsOf = (row: HTMLTableRowElement) => [...row.querySelectorAll<HTMLElement>("a, button")];
