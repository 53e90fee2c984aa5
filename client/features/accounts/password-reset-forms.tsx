import { useMutation } from "@apollo/client/react";
import { RequestPasswordResetDocument, ResetPasswordDocument } from "../../generated/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { textOf, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";

export function ForgotPasswordForm() {
  const [request] = useMutation(RequestPasswordResetDocument);
  const { busy, errorOf, onSubmit } = useSubmit({ email: "Email is required" }, async (values) => {
    const { data } = await request({ variables: { email: textOf(values, "email") } });
    if (data) toast.success(data.requestPasswordReset.message);
  });
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <Field label="Email" error={errorOf("email")}>
        {(attributes) => (
          <input
            {...attributes}
            className="input"
            name="email"
            type="email"
            maxLength={100}
            autoComplete="email"
          />
        )}
      </Field>
      <div>
        <Button busy={busy}>Submit</Button>
      </div>
    </form>
  );
}

type Props = { userId: string; token: string; onDone: () => void };

export function ResetPasswordForm({ userId, token, onDone }: Props) {
  const [reset] = useMutation(ResetPasswordDocument);
  const { busy, errorOf, onSubmit } = useSubmit({ password: "Password is required" }, async (values) => {
    const { data } = await reset({ variables: { userId, token, password: String(values.get("password")) } });
    if (!data) return;
    toast.success(data.resetPassword.message);
    onDone();
  });
  return (
    <form className="form" onSubmit={onSubmit} noValidate>
      <Field label="New Password" error={errorOf("password")} hint="At least 8 characters.">
        {(attributes) => (
          <input
            {...attributes}
            className="input"
            name="password"
            type="password"
            maxLength={128}
            autoComplete="new-password"
          />
        )}
      </Field>
      <div>
        <Button busy={busy}>Submit</Button>
      </div>
    </form>
  );
}
