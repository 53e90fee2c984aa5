import { useEffect, useState } from "react";
import type { FieldValues } from "./drafts.ts";
import { useDraft } from "./use-draft.ts";
import { dropDraftPicture, readDraftPicture, writeDraftPicture } from "./draft-pictures.ts";

export type DraftPicture = ReturnType<typeof useDraftPicture>;

function useDraftPicture(owner: string, form: string) {
  const [restored, setRestored] = useState<File>();
  useEffect(() => {
    let isCurrent = true;
    void readDraftPicture(owner, form).then((file) => isCurrent && setRestored(file));
    return () => void (isCurrent = false);
  }, [owner, form]);
  return {
    restored,
    store: (file: File | null) => void (file ? writeDraftPicture(owner, form, file) : dropDraftPicture(form)),
    drop: () => {
      setRestored(undefined);
      void dropDraftPicture(form);
    },
  };
}

/** The draft of a form with a picture; `notice` has the properties of a DraftNotice. */
export function useDraftWithPicture(owner: string, form: string, original: FieldValues) {
  const draft = useDraft(owner, form, original);
  const picture = useDraftPicture(owner, form);
  const drop = () => {
    draft.drop();
    picture.drop();
  };
  const isRestored = draft.isRestored || picture.restored !== undefined;
  return { draft, picture, drop, notice: { draft, isRestored, onDiscard: drop } };
}
