import { useEffect, useRef, type SubmitEvent } from "react";
import { SearchIcon } from "../basics/icons.tsx";
import "./search-field.css";

type Props = {
  label: string;
  value: string;
  maxLength?: number;
  /** Is told what to look for once typing pauses, or at once on Enter. */
  onSearch: (text: string) => void;
};

const PAUSE_MS = 250;

/** The field keeps what is being typed to itself: an answer that arrives late never undoes a letter. */
export function SearchField({ label, value, maxLength, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const said = useRef(value);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  useEffect(() => {
    // Back, forward and a link that clears the search change it from outside.
    if (value === said.current || !input.current) return;
    clearTimeout(pause.current);
    input.current.value = said.current = value;
  }, [value]);

  function say(): void {
    clearTimeout(pause.current);
    const text = input.current?.value.trim() ?? "";
    if (text === said.current) return;
    said.current = text;
    onSearch(text);
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    say();
  };
  const onInput = () => {
    clearTimeout(pause.current);
    pause.current = setTimeout(say, PAUSE_MS);
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
        onBlur={say}
      />
    </form>
  );
}
