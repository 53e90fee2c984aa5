import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef } from "react";
import { messages } from "../../../config/messages.ts";
import { UploadPictureDocument } from "../../../generated/writing/graphql.ts";
import type { Draft } from "../../../lib/drafts/use-draft.ts";
import { useDraftWithPicture, type DraftPicture } from "../../../lib/drafts/use-draft-picture.ts";
import { textOf, useSubmit } from "../../../lib/forms/use-submit.ts";
import { useUpload } from "../../../lib/forms/use-upload.ts";
import { DraftNotice } from "../../../ui/feedback/draft-notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { FileField } from "../../../ui/forms/file-field.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { UploadProgress } from "../../../ui/forms/upload-progress.tsx";
import { withCaption } from "./markdown-edits.ts";
import { maxLengths } from "../../../config/limits.ts";

type Props = {
  owner: string;
  /** Pasted or dropped. */
  file?: File;
  onUploaded: (markdown: string) => void;
  onClose: () => void;
};

/** Each pasted picture has a draft of its own: the words for one do not fit another. */
const formOf = (file?: File) => (file ? `picture ${file.name} ${file.size}` : "picture");

/** Uploads a picture for a text. Closing it cancels the upload, and keeps the input. */
export function PictureDialog({ owner, file, onUploaded, onClose }: Props) {
  const client = useApolloClient();
  const empty = { alt: "", caption: "" };
  const { draft, picture, drop, notice } = useDraftWithPicture(owner, formOf(file), empty);
  const { progress, cancel, upload } = useUpload();
  const { busy, errorOf, form } = useSubmit(
    { image: messages.postImageRequired },
    async (values) => {
      const variables = { image: values.get("image") as File, alt: textOf(values, "alt") };
      const { data } = await upload((context) =>
        client.mutate({ mutation: UploadPictureDocument, variables, context }),
      );
      if (!data) throw new Error("the server sent no picture");
      // Before the dialog of the next picture reads them: it may be the same picture.
      drop();
      onUploaded(withCaption(data.uploadPicture.markdown, textOf(values, "caption")));
    },
    { draft },
  );
  const fields = useRef<HTMLFormElement>(null);
  // The dialog itself focuses its first field; a pasted picture is chosen already.
  useEffect(() => {
    if (file) fields.current?.querySelector<HTMLElement>("[name=alt]")?.focus();
  }, [file]);
  return (
    <Dialog title="Insert a picture" onClose={onClose}>
      <form className="form" ref={fields} {...form}>
        <DraftNotice {...notice} />
        <PictureFields key={draft.round} {...{ file, draft, picture, errorOf }} />
        <UploadProgress progress={progress} onCancel={cancel} />
        <div className="actions">
          <Button type="button" variant="quiet" onClick={onClose}>
            Close
          </Button>
          <Button busy={busy}>Insert</Button>
        </div>
      </form>
    </Dialog>
  );
}

type FieldsProps = {
  file?: File;
  draft: Draft;
  picture: DraftPicture;
  errorOf: (name: string) => string | undefined;
};

const PictureFields = ({ file, draft: { values }, picture: { restored, store }, errorOf }: FieldsProps) => (
  <>
    <FileField
      key={restored?.name}
      label="Picture"
      name="image"
      initial={file ?? restored}
      onChosen={store}
      error={errorOf("image")}
    />
    <TextField
      label="Description of the picture"
      name="alt"
      defaultValue={values["alt"]}
      limit={maxLengths.alt}
      error={errorOf("alt")}
      hint="For readers who cannot see it. Leave it empty for a decoration."
    />
    <TextField
      label="Caption"
      name="caption"
      defaultValue={values["caption"]}
      limit={maxLengths.alt}
      hint="Shown below the picture."
    />
  </>
);
