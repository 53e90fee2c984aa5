import { useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths.ts";
import { firstMissing } from "../../lib/first-missing.ts";
import { toast } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { useLogin } from "./use-login.ts";

const required = { email: "Email is required", password: "Password is required" };

export function LoginForm({ onDone }: { onDone: () => void }) {
  const { loading, login } = useLogin();
  const [missing, setMissing] = useState<keyof typeof required | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const found = firstMissing(values, required);
    setMissing(found);
    if (found) return toast.error(required[found]);
    const input = { email: String(values.get("email")), password: String(values.get("password")) };
    if (await login(input)) onDone();
  }

  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <Field label="Email" error={missing === "email" ? required.email : undefined}>
        {(attributes) => (
          <input {...attributes} className="input" name="email" type="email" autoComplete="username" />
        )}
      </Field>
      <Field label="Password" error={missing === "password" ? required.password : undefined}>
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
        <Button busy={loading}>Login</Button>
      </div>
      <p className="meta">
        Did you forget your password? <Link to={paths.forgotPassword}>Forgot Password</Link>
      </p>
    </form>
  );
}
