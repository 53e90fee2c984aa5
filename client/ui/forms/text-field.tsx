import { useState, type InputHTMLAttributes, type ReactNode } from "react";
import { useHydrated } from "../../lib/hydrated.ts";
import { Field } from "./field.tsx";
import { useLimit } from "./use-limit.ts";
import { maxLengths } from "../../config/limits.ts";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "maxLength" | "value"> & {
  label: string;
  name: string;
  /** The largest number of characters that the server accepts. */
  limit?: number;
  error?: string;
  hint?: ReactNode;
};

export function TextField({ label, error, hint, limit, ...rest }: Props) {
  const { attributes: counted, note, error: excess } = useLimit<HTMLInputElement>(limit);
  return (
    <Field label={label} error={excess ?? error} hint={hint} note={note}>
      {(attributes) => <input className="input" dir="auto" {...rest} {...counted} {...attributes} />}
    </Field>
  );
}

/** The button is called `Show`, not `Show password`: assistive software would find two fields of that name. */
export function PasswordField({ label, error, hint, limit, ...rest }: Omit<Props, "type">) {
  const { attributes: counted, note, error: excess } = useLimit<HTMLInputElement>(limit);
  const [isShown, setShown] = useState(false);
  const hydrated = useHydrated();
  return (
    <Field label={label} error={excess ?? error} hint={hint} note={note}>
      {(attributes) => (
        <div className="password">
          <input
            className="input"
            {...rest}
            {...counted}
            {...attributes}
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
          />
          {hydrated && (
            <button
              type="button"
              aria-pressed={isShown}
              aria-controls={attributes.id}
              title={isShown ? "Hide the password" : "Show the password"}
              onClick={() => setShown(!isShown)}
            >
              Show
            </button>
          )}
        </div>
      )}
    </Field>
  );
}

export const CurrentPasswordField = ({ error }: { error?: string }) => (
  <PasswordField
    label="Current password"
    name="currentPassword"
    limit={maxLengths.password}
    autoComplete="current-password"
    hint="You signed in a while ago: please confirm that it is you."
    error={error}
    autoFocus
  />
);

export const NewPasswordField = (props: Omit<Props, "name" | "type">) => (
  <PasswordField {...props} name="password" limit={maxLengths.password} autoComplete="new-password" />
);
