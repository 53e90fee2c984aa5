import { useMutation } from "@apollo/client/react";
import { useState } from "react";
import { productWords } from "../../app/product-words.ts";
import { UploadProfilePhotoDocument } from "../../generated/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { FileField } from "../../ui/file-field.tsx";

const NO_FILE = productWords.noPhoto;

type Props = {
  profileId: string;
  /** Is given the new photo's address. */
  onUploaded: (url: string) => void;
};

export function PhotoForm({ profileId, onUploaded }: Props) {
  // A new key empties the field once its file has been taken.
  const [round, setRound] = useState(0);
  const [upload] = useMutation(UploadProfilePhotoDocument, {
    // The answer is the viewer; the page shows the same account as a profile.
    update: (cache, { data }) => {
      const id = cache.identify({ __typename: "Profile", id: profileId });
      if (data) cache.modify({ id, fields: { profilePhoto: () => data.uploadProfilePhoto.profilePhoto } });
    },
  });
  const { busy, form } = useSubmit({}, async (values) => {
    const image = values.get("image");
    if (!(image instanceof File) || image.size === 0) return toast.warning(NO_FILE);
    const { data } = await upload({ variables: { image } });
    if (!data) return;
    onUploaded(data.uploadProfilePhoto.profilePhoto.url);
    setRound(round + 1);
    toast.success("your profile photo uploaded successfully");
  });
  return (
    <form className="form" {...form}>
      <FileField key={round} label="Choose a photo" name="image" />
      <div>
        <Button busy={busy} look="quiet">
          upload
        </Button>
      </div>
    </form>
  );
}
