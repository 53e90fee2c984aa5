import { useMutation } from "@apollo/client/react";
import { messages } from "../../config/messages.ts";
import { UploadProfilePhotoDocument } from "../../generated/forms/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { PictureForm } from "../../ui/forms/picture-form.tsx";
import "./photo-form.css";

export type PhotoFormProps = {
  profileId: string;
  onUploaded: (url: string) => void;
};

export function PhotoForm({ profileId, onUploaded }: PhotoFormProps) {
  const [uploadPhoto] = useMutation(UploadProfilePhotoDocument, {
    // The response is of type Viewer; the page shows the same account as a Profile, a separate cache entry.
    update: (cache, { data }) => {
      const id = cache.identify({ __typename: "Profile", id: profileId });
      if (data) cache.modify({ id, fields: { profilePhoto: () => data.uploadProfilePhoto.profilePhoto } });
    },
  });
  const send = async (image: File, context: object) => {
    const { data } = await uploadPhoto({ variables: { image }, context });
    if (!data) return;
    onUploaded(data.uploadProfilePhoto.profilePhoto.url);
    toast.success("your profile photo uploaded successfully");
  };
  return <PictureForm className="on-photo" label="Choose a photo" missing={messages.noPhoto} send={send} />;
}
