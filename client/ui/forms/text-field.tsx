import type { InputHTMLAttributes, ReactNode } from "react";
import { Field } from "./field.tsx";

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string;
  name: string;
  error?: string;
  hint?: ReactNode;
};

export const TextField = ({ label, error, hint, ...rest }: Props) => (
  <Field label={label} error={error} hint={hint}>
    {(attributes) => <input className="input" {...rest} {...attributes} />}
  </Field>
);

export const CurrentPasswordField = ({ error }: { error?: string }) => (
  <TextField
    label="Current password"
    name="currentPassword"
    type="password"
    maxLength={128}
    autoComplete="current-password"
    hint="You signed in a while ago: please confirm that it is you."
    error={error}
    autoFocus
  />
);

export const NewPasswordField = (props: Omit<Props, "name" | "type">) => (
  <TextField {...props} name="password" type="password" maxLength={128} autoComplete="new-password" />
);
