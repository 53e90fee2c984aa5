import type { Draft } from "../../lib/drafts/use-draft.ts";
import { TextArea } from "../../ui/forms/text-area.tsx";
import { maxLengths } from "../../config/limits.ts";

type Props = { label: string; draft: Draft; error?: string };

export const CommentField = ({ label, draft, error }: Props) => (
  <TextArea
    label={label}
    name="text"
    limit={maxLengths.comment}
    error={error}
    defaultValue={draft.values["text"]}
  />
);
