import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { messages } from "../../config/messages.ts";
import { paths } from "../../config/paths.ts";
import { RequestPasswordResetDocument, ResetPasswordDocument } from "../../generated/forms/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { Button } from "../../ui/forms/button.tsx";
import { NewPasswordField, TextField } from "../../ui/forms/text-field.tsx";
import { OutboxHint } from "./outbox-hint.tsx";
import { maxLengths } from "../../config/limits.ts";

export function ForgotPasswordForm() {
  const [request] = useMutation(RequestPasswordResetDocument);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { busy, errorOf, form } = useSubmit({ email: messages.emailRequired }, async (values) => {
    const email = textOf(values, "email");
    const { data } = await request({ variables: { email } });
    if (!data) return;
    toast.success(data.requestPasswordReset.message);
    setSentTo(email);
  });
  if (sentTo) return <LinkSent email={sentTo} onAgain={() => setSentTo(null)} />;
  return (
    <form className="form" {...form}>
      <TextField
        label="Email"
        name="email"
        type="email"
        limit={maxLengths.email}
        autoComplete="email"
        error={errorOf("email")}
      />
      <div>
        <Button busy={busy}>Submit</Button>
      </div>
    </form>
  );
}

/** Does not say whether the address has an account. */
const LinkSent = ({ email, onAgain }: { email: string; onAgain: () => void }) => (
  <div className="form" role="status">
    <p>
      If <strong>{email}</strong> has an account here, an email with a link is on its way. The link works for
      an hour; look into the spam folder as well.
    </p>
    <OutboxHint />
    <div>
      <Button type="button" variant="quiet" onClick={onAgain}>
        Use another address
      </Button>
    </div>
    <p className="meta">
      <Link to={paths.login}>Back to Login</Link>
    </p>
  </div>
);

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
