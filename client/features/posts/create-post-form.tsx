import { messages } from "../../config/messages.ts";
import { useDraftWithPicture } from "../../lib/drafts/use-draft-picture.ts";
import { useSubmit } from "../../lib/forms/use-submit.ts";
import { useUpload } from "../../lib/forms/use-upload.ts";
import { Button } from "../../ui/forms/button.tsx";
import { DraftNotice } from "../../ui/feedback/draft-notice.tsx";
import { FileField } from "../../ui/forms/file-field.tsx";
import { UploadProgress } from "../../ui/forms/upload-progress.tsx";
import { PostFields, postInputOf, requiredOfPosts } from "./post-fields.tsx";
import { useCreatePost } from "./use-create-post.ts";

const required = { ...requiredOfPosts, image: messages.postImageRequired };
const FORM = "create-post";
const empty = { title: "", category: "", tags: "", description: "" };

type Props = {
  owner: string;
  onCreated: (id: string) => void;
};

export function CreatePostForm({ owner, onCreated }: Props) {
  const createPost = useCreatePost(owner);
  const { draft, picture, notice } = useDraftWithPicture(owner, FORM, empty);
  const { progress, cancel, upload } = useUpload();
  const { busy, errorOf, form } = useSubmit(
    required,
    async (values) => {
      const image = values.get("image") as File;
      const id = await upload((context) => createPost(postInputOf(values), image, context));
      picture.drop();
      onCreated(id);
    },
    { draft },
  );
  return (
    <form className="form wide" {...form}>
      <DraftNotice {...notice} />
      <PostFields key={draft.round} values={draft.values} errorOf={errorOf} />
      <FileField
        key={`${draft.round} ${picture.restored?.name}`}
        label="Picture"
        name="image"
        error={errorOf("image")}
        initial={picture.restored}
        onChosen={picture.store}
      />
      <UploadProgress progress={progress} onCancel={cancel} />
      <div>
        <Button busy={busy}>Create</Button>
      </div>
    </form>
  );
}
