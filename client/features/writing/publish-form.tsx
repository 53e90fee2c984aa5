import { useState } from "react";
import { maxLengths } from "../../config/limits.ts";
import { messages } from "../../config/messages.ts";
import type { FieldValues } from "../../lib/drafts/drafts.ts";
import { useDraftWithPicture, type DraftPicture } from "../../lib/drafts/use-draft-picture.ts";
import { compare } from "../../lib/comparison/compare.ts";
import { reportError } from "../../lib/forms/report-error.ts";
import { tagNamesIn, textOfTags } from "../../lib/forms/tag-names.ts";
import { textOf, useSubmit } from "../../lib/forms/use-submit.ts";
import { useUpload } from "../../lib/forms/use-upload.ts";
import { toLocalTime } from "../../lib/local-time.ts";
import { TextComparison } from "../../ui/data/text-comparison.tsx";
import { DraftNotice } from "../../ui/feedback/draft-notice.tsx";
import { Button } from "../../ui/forms/button.tsx";
import { ConfirmDialog } from "../../ui/forms/confirm-dialog.tsx";
import { FileField } from "../../ui/forms/file-field.tsx";
import { TagField } from "../../ui/forms/tag-field.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { UploadProgress } from "../../ui/forms/upload-progress.tsx";
import type { Autosave } from "./autosave.ts";
import { publicationFormOf } from "./browser-copies.ts";
import { TimeField } from "./time-field.tsx";
import type { Content } from "./content.ts";
import type { DraftKey } from "./use-autosave.ts";
import { changedPostIn, usePublish, type Choices, type PublishedState } from "./use-publish.ts";

export type Publication = {
  /** Whether the draft changes a post, which keeps its picture unless another is chosen. */
  isUpdate: boolean;
  hasCover: boolean;
  publishAt: string | null;
  tags: string[];
  onPublished: (postId: string) => void;
};

type Props = Publication & {
  draftKey: DraftKey;
  autosave: Autosave;
  startsWithTime: boolean;
  onScheduled: () => void;
};

export function PublishForm({ draftKey, autosave, startsWithTime, onScheduled, ...publication }: Props) {
  const { isUpdate, hasCover, tags, onPublished } = publication;
  const { publish, publishOver, schedule } = usePublish(draftKey.id, autosave);
  const { progress, cancel, upload } = useUpload();
  const { draft, picture, notice } = usePublicationDraft(draftKey, publication);
  const [isTimed, setTimed] = useState(startsWithTime || draft.values["isTimed"] === "on");
  const [changed, setChanged] = useState<PublishedState | null>(null);
  const publishNow = async (choices: Choices) => {
    try {
      onPublished(await upload((context) => publish(choices, context)));
    } catch (error) {
      const post = changedPostIn(error);
      if (!post) throw error;
      setChanged(post);
    }
  };
  const { busy, errorOf, form } = useSubmit(
    {
      ...(!isUpdate && !hasCover && { image: messages.postImageRequired }),
      ...(isTimed && { publishAt: "Please choose a date and a time." }),
    },
    async (values) => {
      const choices = choicesOf(values, tags);
      if (isTimed) {
        const time = new Date(textOf(values, "publishAt"));
        await upload((context) => schedule(time, choices, context));
        onScheduled();
      } else await publishNow(choices);
      picture.drop();
    },
    { draft },
  );
  return (
    <>
      <form className="publish-form form" {...form}>
        <DraftNotice {...notice} />
        <PublicationFields key={draft.round} values={draft.values} picture={picture} errorOf={errorOf} />
        <label className="choice">
          <input
            type="checkbox"
            name="isTimed"
            checked={isTimed}
            onChange={({ target }) => setTimed(target.checked)}
          />
          Publish at a time
        </label>
        {isTimed && (
          <TimeField
            key={`time ${draft.round}`}
            name="publishAt"
            initial={draft.values["publishAt"]}
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

/** What was entered stays in the browser until the server has it. */
const usePublicationDraft = ({ owner, id }: DraftKey, { tags, publishAt }: Publication) =>
  useDraftWithPicture(owner, publicationFormOf(id), {
    alt: "",
    tags: textOfTags(tags),
    isTimed: publishAt ? "on" : "",
    publishAt: publishAt ? toLocalTime(new Date(publishAt)) : "",
  });

function choicesOf(values: FormData, tags: string[]): Choices {
  const image = values.get("image") as File;
  const chosen = tagNamesIn(textOf(values, "tags"));
  return {
    cover: image.size > 0 ? { image, alt: textOf(values, "alt") } : null,
    tags: textOfTags(chosen) === textOfTags(tags) ? null : chosen,
  };
}

type FieldsProps = {
  values: FieldValues;
  picture: DraftPicture;
  errorOf: (name: string) => string | undefined;
};

const PublicationFields = ({ values, picture: { restored, store }, errorOf }: FieldsProps) => (
  <>
    <FileField
      key={restored?.name}
      label="Picture"
      name="image"
      error={errorOf("image")}
      initial={restored}
      onChosen={store}
    />
    <TextField
      label="Description of the picture"
      name="alt"
      limit={maxLengths.alt}
      error={errorOf("alt")}
      hint="For readers who cannot see it."
      defaultValue={values["alt"]}
    />
    <TagField error={errorOf("tags")} defaultValue={values["tags"]} />
  </>
);

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
