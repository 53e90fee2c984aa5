import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { messages } from "../../config/messages.ts";
import { UpdateProfileDocument } from "../../generated/forms/graphql.ts";
import type { ProfileHeadFragment } from "../../generated/graphql.ts";
import { requiresPassword } from "../../lib/forms/error-message.ts";
import { flash } from "../../lib/flash.ts";
import { useDraft } from "../../lib/drafts/use-draft.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { DraftNotice } from "../../ui/feedback/draft-notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { TextArea } from "../../ui/forms/text-area.tsx";
import { CurrentPasswordField, NewPasswordField, TextField } from "../../ui/forms/text-field.tsx";
import { maxLengths } from "../../config/limits.ts";

type Props = {
  profile: ProfileHeadFragment;
  onClose: () => void;
  onUpdated: (username: string) => void;
};

const required = { username: messages.usernameRequired };

export function UpdateProfileDialog({ profile, onClose, onUpdated }: Props) {
  const [updateProfile] = useMutation(UpdateProfileDocument);
  const [needsPassword, setNeedsPassword] = useState(false);
  const { username, bio } = profile;
  const draft = useDraft(profile.id, "profile", { username, bio: bio ?? "" });
  const { busy, errorOf, form } = useSubmit(required, send, { draft, unique: "username" });
  async function send(values: FormData): Promise<void> {
    const currentPassword = String(values.get("currentPassword") ?? "");
    const password = String(values.get("password"));
    const input = {
      username: textOf(values, "username"),
      bio: textOf(values, "bio"),
      ...(password && { password }),
      ...(currentPassword && { currentPassword }),
    };
    const { data } = await updateProfile({ variables: { id: profile.id, input } }).catch((error: unknown) => {
      if (requiresPassword(error)) setNeedsPassword(true);
      throw error;
    });
    if (data) onUpdated(data.updateProfile.username);
    onClose();
    flash("Saved");
  }
  return (
    <Dialog title="Update Your Profile" onClose={onClose}>
      <form className="form" {...form}>
        <DraftNotice draft={draft} />
        <TextField
          key={`username ${draft.round}`}
          label="Username"
          name="username"
          limit={maxLengths.username}
          error={errorOf("username")}
          defaultValue={draft.values["username"]}
          autoComplete="nickname"
        />
        <TextArea
          key={`bio ${draft.round}`}
          label="Bio"
          name="bio"
          limit={maxLengths.bio}
          error={errorOf("bio")}
          defaultValue={draft.values["bio"]}
        />
        <NewPasswordField
          label="Password"
          hint="Leave it empty to keep the one you have."
          error={errorOf("password")}
        />
        {needsPassword && <CurrentPasswordField error={errorOf("currentPassword")} />}
        <div className="actions">
          <Button busy={busy}>Update Profile</Button>
        </div>
      </form>
    </Dialog>
  );
}
