import { useEffect, useState } from "react";
import { dropDraftPicture, readDraftPicture, writeDraftPicture } from "./draft-pictures.ts";

export type DraftPicture = ReturnType<typeof useDraftPicture>;

export function useDraftPicture(owner: string, form: string) {
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
