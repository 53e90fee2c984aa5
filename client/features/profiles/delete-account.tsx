import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { DeleteProfileDocument } from "../../generated/forms/graphql.ts";
import type { ProfileHeadFragment } from "../../generated/graphql.ts";
import { fieldErrorsOf, requiresPassword } from "../../lib/forms/error-message.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { CurrentPasswordField } from "../../ui/forms/text-field.tsx";
import { plainMessageOf } from "../../config/plain-messages.ts";
import "./delete-account.css";

export type DeleteAccountProps = {
  profile: ProfileHeadFragment;
  onDeleted: (message: string) => void;
};

export function DeleteAccount({ profile, onDeleted }: DeleteAccountProps) {
  const [isOpen, setOpen] = useState(false);
  const [deleteProfile, { loading }] = useMutation(DeleteProfileDocument);
  /** The error below the password field; null hides the field. */
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const close = () => setOpen(false);
  const confirm = async (values: FormData) => {
    const currentPassword = values.get("currentPassword") as string | null;
    try {
      const { data } = await deleteProfile({ variables: { id: profile.id, currentPassword } });
      if (data) onDeleted(data.deleteProfile.message);
    } catch (error) {
      const { currentPassword: refused } = fieldErrorsOf(error);
      if (requiresPassword(error) || refused) return setPasswordError(refused ? plainMessageOf(refused) : "");
      reportError(error);
      close();
    }
  };
  return (
    <section className="delete-account" aria-labelledby="delete-account">
      <h2 id="delete-account">Danger zone</h2>
      <p>Your posts, comments and likes go with your account.</p>
      <div>
        <Button type="button" variant="danger" onClick={() => setOpen(true)}>
          Delete Your Account
        </Button>
      </div>
      {isOpen && (
        <ConfirmDialog
          text="Once deleted, you will not be able to recover your profile!"
          subject={profile.username}
          consequence="Your posts, comments and likes go with it."
          busy={loading}
          onConfirm={(values) => void confirm(values)}
          onClose={close}
        >
          {passwordError !== null && <CurrentPasswordField error={passwordError || undefined} />}
        </ConfirmDialog>
      )}
    </section>
  );
}
