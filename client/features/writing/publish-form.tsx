import { messages } from "../../config/messages.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { useUpload } from "../../lib/forms/use-upload.ts";
import { Button } from "../../ui/forms/button.tsx";
import { FileField } from "../../ui/forms/file-field.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { UploadProgress } from "../../ui/forms/upload-progress.tsx";
import type { Autosave } from "./autosave.ts";
import { usePublish } from "./use-publish.ts";

export type Publication = {
  /** Whether the draft changes a post, which keeps its picture unless another is chosen. */
  isUpdate: boolean;
  hasCover: boolean;
  onPublished: (postId: string) => void;
};

type Props = Publication & { id: string; autosave: Autosave };

export function PublishForm({ id, autosave, isUpdate, hasCover, onPublished }: Props) {
  const publish = usePublish(id, autosave);
  const { progress, cancel, upload } = useUpload();
  const { busy, errorOf, form } = useSubmit(
    isUpdate || hasCover ? {} : { image: messages.postImageRequired },
    async (values) => {
      const image = values.get("image") as File;
      const cover = image.size > 0 ? { image, alt: textOf(values, "alt") } : null;
      onPublished(await upload((context) => publish(cover, context)));
    },
  );
  return (
    <form className="publish-form form" {...form}>
      <FileField label="Picture" name="image" error={errorOf("image")} />
      <TextField
        label="Description of the picture"
        name="alt"
        limit={500}
        error={errorOf("alt")}
        hint="For readers who cannot see it."
      />
      <UploadProgress progress={progress} onCancel={cancel} />
      <div>
        <Button busy={busy}>{isUpdate ? "Update" : "Publish"}</Button>
      </div>
    </form>
  );
}
