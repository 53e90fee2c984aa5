import { useState } from "react";
import { toast } from "../../lib/toast.ts";
import { useSubmit } from "../../lib/forms/use-submit.ts";
import { useUpload } from "../../lib/forms/use-upload.ts";
import { Button } from "./button.tsx";
import { FileField } from "./file-field.tsx";
import { UploadProgress } from "./upload-progress.tsx";

type Props = {
  /** Places the form over the picture that it replaces. */
  className: string;
  label: string;
  missing: string;
  /** Uploads the picture; `context` is the context for the mutation. */
  send: (image: File, context: object) => Promise<unknown>;
};

export function PictureForm({ className, label, missing, send }: Props) {
  // A new key empties the field after an upload.
  const [round, setRound] = useState(0);
  const { progress, cancel, upload } = useUpload();
  const { busy, errorOf, form } = useSubmit({}, async (values) => {
    const image = values.get("image");
    if (!(image instanceof File) || image.size === 0) return toast.warning(missing);
    await upload((context) => send(image, context));
    setRound(round + 1);
  });
  return (
    <form className={`form ${className}`} {...form}>
      <FileField key={round} label={label} name="image" error={errorOf("image")} isBrief />
      <UploadProgress progress={progress} onCancel={cancel} />
      <div>
        <Button busy={busy} variant="quiet">
          upload
        </Button>
      </div>
    </form>
  );
}
