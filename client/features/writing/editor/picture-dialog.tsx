import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef } from "react";
import { messages } from "../../../config/messages.ts";
import { UploadPictureDocument } from "../../../generated/writing/graphql.ts";
import { textOf, useSubmit } from "../../../lib/forms/use-submit.ts";
import { useUpload } from "../../../lib/forms/use-upload.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Dialog } from "../../../ui/forms/dialog.tsx";
import { FileField } from "../../../ui/forms/file-field.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { UploadProgress } from "../../../ui/forms/upload-progress.tsx";
import { withCaption } from "./markdown-edits.ts";
import { maxLengths } from "../../../config/limits.ts";

type Props = {
  /** Pasted or dropped. */
  file?: File;
  onUploaded: (markdown: string) => void;
  onClose: () => void;
};

/** Uploads a picture for a text. Closing it cancels the upload. */
export function PictureDialog({ file, onUploaded, onClose }: Props) {
  const client = useApolloClient();
  const { progress, cancel, upload } = useUpload();
  const { busy, errorOf, form } = useSubmit({ image: messages.postImageRequired }, async (values) => {
    const variables = { image: values.get("image") as File, alt: textOf(values, "alt") };
    const { data } = await upload((context) =>
      client.mutate({ mutation: UploadPictureDocument, variables, context }),
    );
    if (!data) throw new Error("the server sent no picture");
    onUploaded(withCaption(data.uploadPicture.markdown, textOf(values, "caption")));
  });
  const fields = useRef<HTMLFormElement>(null);
  // The dialog itself focuses its first field; a pasted picture is chosen already.
  useEffect(() => {
    if (file) fields.current?.querySelector<HTMLElement>("[name=alt]")?.focus();
  }, [file]);
  return (
    <Dialog title="Insert a picture" onClose={onClose}>
      <form className="form" ref={fields} {...form}>
        <FileField label="Picture" name="image" initial={file} error={errorOf("image")} />
        <TextField
          label="Description of the picture"
          name="alt"
          limit={maxLengths.alt}
          error={errorOf("alt")}
          hint="For readers who cannot see it. Leave it empty for a decoration."
        />
        <TextField label="Caption" name="caption" limit={maxLengths.alt} hint="Shown below the picture." />
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
