import { productWords } from "../../app/product-words.ts";
import { textOf, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useCreatePost } from "./use-create-post.ts";

const required = {
  title: productWords.postTitleRequired,
  category: productWords.postCategoryRequired,
  description: productWords.postDescriptionRequired,
  image: productWords.postImageRequired,
};

type Props = { categories: { id: string; title: string }[]; onCreated: () => void };

export function CreatePostForm({ categories, onCreated }: Props) {
  const createPost = useCreatePost();
  const { busy, errorOf, form } = useSubmit(required, async (values) => {
    const input = {
      title: textOf(values, "title"),
      category: textOf(values, "category"),
      description: textOf(values, "description"),
    };
    await createPost(input, values.get("image") as File);
    onCreated();
  });
  return (
    <form className="form wide" {...form}>
      <TextField label="Post Title" name="title" maxLength={200} error={errorOf("title")} />
      <Field label="Category" error={errorOf("category")}>
        {(attributes) => (
          <select {...attributes} className="input" name="category" defaultValue="">
            <option value="">Select A Category</option>
            {categories.map(({ id, title }) => (
              <option key={id}>{title}</option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Post Description"
        error={errorOf("description")}
        hint="Plain text. A blank line begins a paragraph; ## makes a heading, - a list, > a quote."
      >
        {(attributes) => (
          <textarea {...attributes} className="input text" name="description" maxLength={50_000} />
        )}
      </Field>
      <FileField label="Picture" name="image" error={errorOf("image")} />
      <div>
        <Button busy={busy}>Create</Button>
      </div>
    </form>
  );
}
