import { useApolloClient, useMutation } from "@apollo/client/react";
import { useState } from "react";
import { AdminFindTagDocument, AdminMergeTagsDocument } from "../../../generated/admin/graphql.ts";
import { flash } from "../../../lib/flash.ts";
import { textOf, useSubmit } from "../../../lib/forms/use-submit.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import type { TagDialogProps } from "./rename-tag-dialog.tsx";
import { maxLengths } from "../../../config/limits.ts";

export function MergeTagDialog({ tag, onClose }: TagDialogProps) {
  const [refusal, setRefusal] = useState<string>();
  const client = useApolloClient();
  const [merge] = useMutation(AdminMergeTagsDocument, {
    update: (cache) => void cache.evict({ id: cache.identify({ __typename: "Tag", id: tag.id }) }),
    refetchQueries: "active",
  });
  const findId = async (name: string) =>
    (await client.query({ query: AdminFindTagDocument, variables: { name }, fetchPolicy: "network-only" }))
      .data?.tag?.id;
  const { busy, errorOf, form } = useSubmit({ into: "Please enter a name" }, async (values) => {
    const into = await findId(textOf(values, "into"));
    if (!into) return setRefusal("No post has a tag of this name.");
    if (into === tag.id) return setRefusal("This is the same tag.");
    await merge({ variables: { from: tag.id, into } });
    onClose();
    flash("Saved");
  });
  return (
    <Dialog title="Merge Tag" onClose={onClose}>
      <form className="form" {...form} onChange={() => setRefusal(undefined)}>
        <p>
          The posts and followers of “<bdi>{tag.name}</bdi>” get another tag instead, and “
          <bdi>{tag.name}</bdi>” goes for good.
        </p>
        <TextField
          label="Tag that stays"
          name="into"
          limit={maxLengths.tag}
          error={errorOf("into") ?? refusal}
        />
        <div className="actions">
          <Button variant="danger" busy={busy}>
            Merge
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
