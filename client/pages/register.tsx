import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { OutboxHint } from "../features/accounts/outbox-hint.tsx";
import { RegisterForm } from "../features/accounts/register-form.tsx";
import { VisitorsOnly } from "../features/accounts/visitors-only.tsx";
import { Button } from "../ui/forms/button.tsx";
import { Dialog } from "../ui/forms/dialog.tsx";
import { PageHead } from "../ui/basics/page-head.tsx";

export function RegisterPage() {
  const [message, setMessage] = useState<string | null>(null);
  const navigate = useNavigate();
  const toLogin = () => void navigate(paths.login);
  return (
    <VisitorsOnly>
      <PageHead title="Create new account" />
      <RegisterForm onRegistered={setMessage} />
      {message && (
        <Dialog title="Almost there" onClose={toLogin}>
          <p>{message}</p>
          <OutboxHint />
          <div className="actions">
            <Button type="button" onClick={toLogin}>
              OK
            </Button>
          </div>
        </Dialog>
      )}
    </VisitorsOnly>
  );
}
