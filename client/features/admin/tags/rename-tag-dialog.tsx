import { useMutation } from "@apollo/client/react";
import { AdminRenameTagDocument, type TagRowFragment } from "../../../generated/admin/graphql.ts";
import { flash } from "../../../lib/flash.ts";
import { textOf, useSubmit } from "../../../lib/forms/use-submit.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { maxLengths } from "../../../config/limits.ts";

export type TagDialogProps = { tag: TagRowFragment; onClose: () => void };

export function RenameTagDialog({ tag, onClose }: TagDialogProps) {
  const [rename] = useMutation(AdminRenameTagDocument);
  const { busy, errorOf, form } = useSubmit(
    { name: "Please enter a name" },
    async (values) => {
      await rename({ variables: { id: tag.id, name: textOf(values, "name") } });
      onClose();
      flash("Saved");
    },
    { unique: "name" },
  );
  return (
    <Dialog title="Rename Tag" onClose={onClose}>
      <form className="form" {...form}>
        <TextField
          label="Name"
          name="name"
          defaultValue={tag.name}
          limit={maxLengths.tag}
          error={errorOf("name")}
          hint="Its posts and its followers stay; its address changes with its name."
        />
        <div className="actions">
          <Button busy={busy}>Rename</Button>
        </div>
      </form>
    </Dialog>
  );
}
