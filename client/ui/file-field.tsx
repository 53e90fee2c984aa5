import { useEffect, useState, type ChangeEvent } from "react";
import { Field } from "./field.tsx";
import "./file-field.css";

const TYPES = "image/jpeg,image/png,image/webp,image/gif,image/avif";

/** Chooses a picture and shows it before it is sent. */
export function FileField({ label, name, error }: { label: string; name: string; error?: string }) {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => () => (preview ? URL.revokeObjectURL(preview) : undefined), [preview]);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    setPreview(file ? URL.createObjectURL(file) : null);
  };
  return (
    <Field label={label} error={error} hint="JPEG, PNG, WebP, GIF or AVIF, at most 10 MB.">
      {(attributes) => (
        <>
          {preview && <img className="file-preview" src={preview} alt="The picture you chose" />}
          <input
            {...attributes}
            className="input file"
            type="file"
            name={name}
            accept={TYPES}
            onChange={choose}
          />
        </>
      )}
    </Field>
  );
}
