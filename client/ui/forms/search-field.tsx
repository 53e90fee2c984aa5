import { useEffect, useRef, type SubmitEvent } from "react";
import { SearchIcon } from "../basics/icons.tsx";
import "./field.css";
import "./search-field.css";

type Props = {
  label: string;
  value: string;
  maxLength?: number;
  /** Receives the text when typing pauses, or at once on Enter. */
  onSearch: (text: string) => void;
};

const PAUSE_MS = 250;

/** Uncontrolled, so that a late response never overwrites newer input. */
export function SearchField({ label, value, maxLength, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const reported = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // Back, forward and links can change the search from outside.
    if (value === reported.current || !input.current) return;
    clearTimeout(timer.current);
    input.current.value = reported.current = value;
  }, [value]);

  function report(): void {
    clearTimeout(timer.current);
    const text = input.current?.value.trim() ?? "";
    if (text === reported.current) return;
    reported.current = text;
    onSearch(text);
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    report();
  };
  const onInput = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(report, PAUSE_MS);
  };
  return (
    <form role="search" className="search-field" onSubmit={onSubmit}>
      <SearchIcon />
      <input
        ref={input}
        className="input"
        type="search"
        name="search"
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        defaultValue={value}
        autoComplete="off"
        onInput={onInput}
        onBlur={report}
      />
    </form>
  );
}
