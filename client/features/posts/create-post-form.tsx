import { useState, type FormEvent } from "react";
import { firstMissing } from "../../lib/first-missing.ts";
import { toast } from "../../lib/toast.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { FileField } from "../../ui/file-field.tsx";
import { useCreatePost } from "./use-create-post.ts";

const required = {
  title: "post title is requierd",
  category: "post category is requierd",
  description: "post description is requierd",
  image: "post image is requierd",
};

type Props = { categories: { id: string; title: string }[]; onCreated: () => void };

export function CreatePostForm({ categories, onCreated }: Props) {
  const { loading, createPost } = useCreatePost();
  const [missing, setMissing] = useState<keyof typeof required | null>(null);
  const errorOf = (name: keyof typeof required) => (missing === name ? required[name] : undefined);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const found = firstMissing(values, required);
    setMissing(found);
    if (found) return toast.error(required[found]);
    const text = (name: string) => String(values.get(name)).trim();
    const input = { title: text("title"), category: text("category"), description: text("description") };
    if (await createPost(input, values.get("image") as File)) onCreated();
  }

  return (
    <form className="form wide" onSubmit={(event) => void submit(event)} noValidate>
      <Field label="Post Title" error={errorOf("title")}>
        {(attributes) => <input {...attributes} className="input" name="title" maxLength={200} />}
      </Field>
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
        <Button busy={loading}>Create</Button>
      </div>
    </form>
  );
}
