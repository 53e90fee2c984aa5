import { useLayoutEffect, useRef, useState, type FormEvent } from "react";

type Input = HTMLInputElement | HTMLTextAreaElement;

const SHOWN_FROM = 0.9;
const format = (count: number) => count.toLocaleString("en");

/**
 * Counts the characters of an uncontrolled field, as the server does. `maxLength` would cut off pasted text silently.
 * @returns a note from nine tenths of the limit on, and the error beyond it, which `useSubmit` refuses to send
 */
export function useLimit<T extends Input>(limit = Infinity) {
  const input = useRef<T>(null);
  const [length, setLength] = useState(0);
  const excess = length - limit;
  const error =
    excess > 0 ? `${format(excess)} ${excess === 1 ? "character" : "characters"} too long` : undefined;
  useLayoutEffect(() => setLength(lengthIn(input.current)), []);
  useLayoutEffect(() => input.current?.setCustomValidity(error ?? ""), [error]);
  return {
    error,
    note:
      length >= SHOWN_FROM * limit && !error ? `${format(length)} of ${format(limit)} characters` : undefined,
    attributes: {
      ref: input,
      onInput: ({ currentTarget }: FormEvent<T>) => setLength(lengthIn(currentTarget)),
    },
  };
}

const lengthIn = (input: Input | null) => input?.value.trim().length ?? 0;
