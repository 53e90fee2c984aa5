import type { Draft } from "../../lib/drafts/use-draft.ts";
import { Field } from "../../ui/forms/field.tsx";

type Props = { label: string; draft: Draft; error?: string };

export const CommentField = ({ label, draft, error }: Props) => (
  <Field label={label} error={error}>
    {(attributes) => (
      <textarea
        {...attributes}
        className="input"
        name="text"
        maxLength={2000}
        defaultValue={draft.values["text"]}
      />
    )}
  </Field>
);
