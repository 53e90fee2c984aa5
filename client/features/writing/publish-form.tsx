import { useState } from "react";
import { maxLengths } from "../../config/limits.ts";
import { messages } from "../../config/messages.ts";
import { compare } from "../../lib/comparison/compare.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { tagNamesIn, textOfTags } from "../../lib/forms/tag-names.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { useUpload } from "../../lib/forms/use-upload.ts";
import { TextComparison } from "../../ui/data/text-comparison.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { FileField } from "../../ui/forms/file-field.tsx";
import { TagField } from "../../ui/forms/tag-field.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { UploadProgress } from "../../ui/forms/upload-progress.tsx";
import type { Autosave } from "./autosave.ts";
import { TimeField } from "./time-field.tsx";
import type { Content } from "./content.ts";
import { changedPostIn, usePublish, type PublishedState } from "./use-publish.ts";

export type Publication = {
  /** Whether the draft changes a post, which keeps its picture unless another is chosen. */
  isUpdate: boolean;
  hasCover: boolean;
  publishAt: string | null;
  tags: string[];
  onPublished: (postId: string) => void;
};

type Props = Publication & {
  id: string;
  autosave: Autosave;
  startsWithTime: boolean;
  onScheduled: () => void;
};

export function PublishForm({ id, autosave, startsWithTime, onScheduled, ...publication }: Props) {
  const { isUpdate, hasCover, publishAt, tags, onPublished } = publication;
  const { publish, publishOver, schedule } = usePublish(id, autosave);
  const { progress, cancel, upload } = useUpload();
  const [isTimed, setTimed] = useState(startsWithTime || publishAt !== null);
  const [changed, setChanged] = useState<PublishedState | null>(null);
  const { busy, errorOf, form } = useSubmit(
    {
      ...(!isUpdate && !hasCover && { image: messages.postImageRequired }),
      ...(isTimed && { publishAt: "Please choose a date and a time." }),
    },
    async (values) => {
      const image = values.get("image") as File;
      const cover = image.size > 0 ? { image, alt: textOf(values, "alt") } : null;
      const chosen = tagNamesIn(textOf(values, "tags"));
      const choices = { cover, tags: textOfTags(chosen) === textOfTags(tags) ? null : chosen };
      if (isTimed) {
        const time = new Date(textOf(values, "publishAt"));
        await upload((context) => schedule(time, choices, context));
        return onScheduled();
      }
      try {
        onPublished(await upload((context) => publish(choices, context)));
      } catch (error) {
        const post = changedPostIn(error);
        if (!post) throw error;
        setChanged(post);
      }
    },
  );
  return (
    <>
      <form className="publish-form form" {...form}>
        <FileField label="Picture" name="image" error={errorOf("image")} />
        <TextField
          label="Description of the picture"
          name="alt"
          limit={maxLengths.alt}
          error={errorOf("alt")}
          hint="For readers who cannot see it."
        />
        <TagField error={errorOf("tags")} defaultValue={textOfTags(tags)} />
        <label className="choice">
          <input type="checkbox" checked={isTimed} onChange={({ target }) => setTimed(target.checked)} />
          Publish at a time
        </label>
        {isTimed && (
          <TimeField
            name="publishAt"
            initial={publishAt}
            error={errorOf("publishAt")}
            autoFocus={startsWithTime}
          />
        )}
        <UploadProgress progress={progress} onCancel={cancel} />
        <div>
          <Button busy={busy}>{isTimed ? "Schedule" : isUpdate ? "Update" : "Publish"}</Button>
        </div>
      </form>
      {changed && (
        <OverwriteDialog
          post={changed}
          draft={autosave.read().content}
          publish={async () => onPublished(await publishOver(changed.updatedAt))}
          onClose={() => setChanged(null)}
        />
      )}
    </>
  );
}

type OverwriteProps = {
  post: PublishedState;
  draft: Content;
  publish: () => Promise<void>;
  onClose: () => void;
};

function OverwriteDialog({ post, draft, publish, onClose }: OverwriteProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await publish().catch((error: unknown) => {
      reportError(error);
      onClose();
    });
  };
  return (
    <ConfirmDialog
      text={`The post was changed after you had begun this draft: ${new Date(post.updatedAt).toLocaleString()}.`}
      consequence="Publishing replaces that change, which stays in the post’s history. Only in the post: struck through. Only in this draft: underlined."
      busy={busy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <TextComparison {...compare(post, draft)} />
    </ConfirmDialog>
  );
}
