import { useMutation } from "@apollo/client/react";
import { messages } from "../../config/messages.ts";
import { RequestPasswordResetDocument, ResetPasswordDocument } from "../../generated/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { NewPasswordField, TextField } from "../../ui/forms/text-field.tsx";

export function ForgotPasswordForm() {
  const [request] = useMutation(RequestPasswordResetDocument);
  const { busy, errorOf, form } = useSubmit({ email: messages.emailRequired }, async (values) => {
    const { data } = await request({ variables: { email: textOf(values, "email") } });
    if (data) toast.success(data.requestPasswordReset.message);
  });
  return (
    <form className="form" {...form}>
      <TextField
        label="Email"
        name="email"
        type="email"
        maxLength={100}
        autoComplete="email"
        error={errorOf("email")}
      />
      <div>
        <Button busy={busy}>Submit</Button>
      </div>
    </form>
  );
}

type Props = { userId: string; token: string; onDone: () => void };

export function ResetPasswordForm({ userId, token, onDone }: Props) {
  const [reset] = useMutation(ResetPasswordDocument);
  const { busy, errorOf, form } = useSubmit({ password: messages.passwordRequired }, async (values) => {
    const { data } = await reset({ variables: { userId, token, password: String(values.get("password")) } });
    if (!data) return;
    toast.success(data.resetPassword.message);
    onDone();
  });
  return (
    <form className="form" {...form}>
      <NewPasswordField label="New Password" hint="At least 8 characters." error={errorOf("password")} />
      <div>
        <Button busy={busy}>Submit</Button>
      </div>
    </form>
  );
}
