import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { DeleteProfileDocument, type ProfileHeadFragment } from "../../generated/graphql.ts";
import { fieldErrorsOf, messageOf, wantsPassword } from "../../lib/forms/error-message.ts";
import { toast } from "../../lib/toast.ts";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { CurrentPasswordField } from "../../ui/forms/text-field.tsx";
import { UpdateProfileDialog } from "./update-profile-dialog.tsx";

export type OwnerToolsProps = {
  profile: ProfileHeadFragment;
  onRenamed: (username: string) => void;
  onDeleted: (message: string) => void;
};

export function OwnerTools({ profile, onRenamed, onDeleted }: OwnerToolsProps) {
  const [open, setOpen] = useState<"update" | "delete" | null>(null);
  const [deleteProfile, { loading }] = useMutation(DeleteProfileDocument);
  /** The error below the password field; null hides the field. */
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const close = () => setOpen(null);
  const confirm = async (values: FormData) => {
    const currentPassword = values.get("currentPassword") as string | null;
    try {
      const { data } = await deleteProfile({ variables: { id: profile.id, currentPassword } });
      if (data) onDeleted(data.deleteProfile.message);
    } catch (error) {
      const { currentPassword: refused } = fieldErrorsOf(error);
      if (wantsPassword(error) || refused) return setPasswordError(refused ?? "");
      toast.error(messageOf(error));
      close();
    }
  };
  return (
    <div className="owner-tools">
      <Button type="button" look="quiet" onClick={() => setOpen("update")}>
        Update Profile
      </Button>
      <Button type="button" look="danger" onClick={() => setOpen("delete")}>
        Delete Your Account
      </Button>
      {open === "update" && <UpdateProfileDialog profile={profile} onClose={close} onUpdated={onRenamed} />}
      {open === "delete" && (
        <ConfirmDialog
          text="Once deleted, you will not be able to recover your profile!"
          busy={loading}
          onConfirm={(values) => void confirm(values)}
          onClose={close}
        >
          {passwordError !== null && <CurrentPasswordField error={passwordError || undefined} />}
        </ConfirmDialog>
      )}
    </div>
  );
}
