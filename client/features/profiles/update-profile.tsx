import { useState } from "react";
import type { ProfileHeadFragment } from "../../generated/graphql.ts";
import { Button } from "../../ui/forms/button.tsx";
import { UpdateProfileDialog } from "./update-profile-dialog.tsx";

export type UpdateProfileProps = {
  profile: ProfileHeadFragment;
  onRenamed: (username: string) => void;
};

export function UpdateProfile({ profile, onRenamed }: UpdateProfileProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button type="button" variant="quiet" onClick={() => setOpen(true)}>
        Update Profile
      </Button>
      {isOpen && (
        <UpdateProfileDialog profile={profile} onClose={() => setOpen(false)} onUpdated={onRenamed} />
      )}
    </div>
  );
}
