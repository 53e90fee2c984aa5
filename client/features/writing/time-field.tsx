import { useLayoutEffect, useRef, useState } from "react";
import { isPast, timeZone, toLocalTime } from "../../lib/local-time.ts";
import { Field } from "../../ui/forms/field.tsx";

const PAST = "This time is past, please choose a later one.";

/** `initial` is local: `2026-11-23T14:30`. */
type Props = { name: string; initial: string | undefined; error?: string; autoFocus: boolean };

/** A time to come, in the writer's time zone. A past one is refused as it is entered, and again by the server. */
export function TimeField({ name, initial, error, autoFocus }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  const [min] = useState(() => toLocalTime(new Date()));
  useLayoutEffect(() => input.current?.setCustomValidity(problem), [problem]);
  return (
    <Field label="Date and time" error={problem || error} hint={`Time zone: ${timeZone()}`}>
      {(attributes) => (
        <input
          {...attributes}
          ref={input}
          className="input time"
          type="datetime-local"
          name={name}
          min={min}
          defaultValue={initial}
          autoFocus={autoFocus}
          onInput={({ currentTarget: { value } }) => setProblem(value && isPast(value) ? PAST : "")}
        />
      )}
    </Field>
  );
}
