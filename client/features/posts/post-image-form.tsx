import { useMutation } from "@apollo/client/react";
import { messages } from "../../config/messages.ts";
import { UpdatePostImageDocument } from "../../generated/forms/graphql.ts";
import { toast } from "../../lib/toast.ts";
import { PictureForm } from "../../ui/forms/picture-form.tsx";
import "./post-image-form.css";

export type PostImageFormProps = { postId: string };

export function PostImageForm({ postId }: PostImageFormProps) {
  const [updateImage] = useMutation(UpdatePostImageDocument);
  const send = async (image: File, context: object) => {
    await updateImage({ variables: { id: postId, image }, context });
    toast.success("New post image updated successfully");
  };
  return (
    <PictureForm className="on-picture" label="Select New Image" missing={messages.noPostImage} send={send} />
  );
}
