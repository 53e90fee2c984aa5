import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { messages } from "../../config/messages.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { PasswordField, TextField } from "../../ui/forms/text-field.tsx";
import { useLogin } from "./use-login.ts";

const required = { email: messages.emailRequired, password: messages.passwordRequired };

/** Does not redirect: the page around it does, once the session exists. */
export function LoginForm() {
  const login = useLogin();
  const { busy, errorOf, form } = useSubmit(required, async (values) => {
    await login({ email: textOf(values, "email"), password: String(values.get("password")) });
  });
  return (
    <form className="form" {...form}>
      <TextField label="Email" name="email" type="email" autoComplete="username" error={errorOf("email")} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        error={errorOf("password")}
      />
      <div>
        <Button busy={busy}>Login</Button>
      </div>
      <div className="meta">
        <p>
          Did you forget your password? <Link to={paths.forgotPassword}>Forgot Password</Link>
        </p>
        <p>
          New here? <Link to={paths.register}>Register</Link>
        </p>
      </div>
    </form>
  );
}
