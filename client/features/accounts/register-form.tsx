import { useMutation } from "@apollo/client/react";
import { Link } from "react-router-dom";
import { messages } from "../../config/messages.ts";
import { paths } from "../../config/paths.ts";
import { RegisterDocument } from "../../generated/forms/graphql.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { NewPasswordField, TextField } from "../../ui/forms/text-field.tsx";
import { maxLengths } from "../../config/limits.ts";

const required = {
  username: messages.usernameRequired,
  email: messages.emailRequired,
  password: messages.passwordRequired,
};

export function RegisterForm({ onRegistered }: { onRegistered: (message: string) => void }) {
  const [register] = useMutation(RegisterDocument);
  const { busy, errorOf, form } = useSubmit(
    required,
    async (values) => {
      const password = String(values.get("password"));
      const input = { username: textOf(values, "username"), email: textOf(values, "email"), password };
      const { data } = await register({ variables: { input } });
      if (data) onRegistered(data.register.message);
    },
    { unique: "username" },
  );
  return (
    <form className="form" {...form}>
      <TextField
        label="Username"
        name="username"
        limit={maxLengths.username}
        autoComplete="nickname"
        error={errorOf("username")}
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        limit={maxLengths.email}
        autoComplete="email"
        error={errorOf("email")}
      />
      <NewPasswordField label="Password" hint="At least 8 characters." error={errorOf("password")} />
      <div>
        <Button busy={busy}>Register</Button>
      </div>
      <p className="meta">
        Have an account? <Link to={paths.login}>Login</Link>
      </p>
    </form>
  );
}
