import { Link } from "react-router-dom";
import { paths } from "../../app/paths.ts";
import { textOf, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useLogin } from "./use-login.ts";

const required = { email: "Email is required", password: "Password is required" };

export function LoginForm({ onDone }: { onDone: () => void }) {
  const login = useLogin();
  const { busy, errorOf, onSubmit } = useSubmit(required, async (values) => {
    await login({ email: textOf(values, "email"), password: String(values.get("password")) });
    onDone();
  });
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <Field label="Email" error={errorOf("email")}>
        {(attributes) => (
          <input {...attributes} className="input" name="email" type="email" autoComplete="username" />
        )}
      </Field>
      <Field label="Password" error={errorOf("password")}>
        {(attributes) => (
          <input
            {...attributes}
            className="input"
            name="password"
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <div>
        <Button busy={busy}>Login</Button>
      </div>
      <p className="meta">
        Did you forget your password? <Link to={paths.forgotPassword}>Forgot Password</Link>
      </p>
    </form>
  );
}
