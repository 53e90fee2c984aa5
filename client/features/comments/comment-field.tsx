import type { Draft } from "../../lib/drafts/use-draft.ts";
import { TextArea } from "../../ui/forms/text-area.tsx";

type Props = { label: string; draft: Draft; error?: string };

export const CommentField = ({ label, draft, error }: Props) => (
  <TextArea label={label} name="text" limit={2_000} error={error} defaultValue={draft.values["text"]} />
);
