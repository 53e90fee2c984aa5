import { useQuery } from "@apollo/client/react";
import { messages } from "../../config/messages.ts";
import { PostFieldsDocument } from "../../generated/graphql.ts";
import { textOf } from "../../lib/forms/use-submit.ts";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";

export const requiredOfPosts = {
  title: messages.postTitleRequired,
  category: messages.postCategoryRequired,
  description: messages.postDescriptionRequired,
};

type Props = {
  values: Record<string, string>;
  errorOf: (name: string) => string | undefined;
};

export function PostFields({ values, errorOf }: Props) {
  return (
    <>
      <TextField
        label="Post Title"
        name="title"
        maxLength={200}
        error={errorOf("title")}
        defaultValue={values["title"]}
      />
      <CategoryField chosen={values["category"] ?? ""} error={errorOf("category")} />
      <Field
        label="Post Description"
        error={errorOf("description")}
        hint="Plain text. A blank line begins a paragraph; ## makes a heading, - a list, > a quote."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            className="input text"
            name="description"
            maxLength={50_000}
            defaultValue={values["description"]}
          />
        )}
      </Field>
    </>
  );
}

function CategoryField({ chosen, error }: { chosen: string; error?: string }) {
  const { data, error: failure, refetch } = useQuery(PostFieldsDocument);
  if (failure && !data) return <ErrorNotice error={failure} retry={() => void refetch()} />;
  const titles = data?.categories.map(({ title }) => title) ?? [];
  // A post keeps a category that was deleted later; and the post's category shows before the list is loaded.
  const all = chosen && !titles.includes(chosen) ? [chosen, ...titles] : titles;
  return (
    <Field label="Category" error={error}>
      {(attributes) => (
        <select {...attributes} className="input" name="category" defaultValue={chosen}>
          <option value="">Select A Category</option>
          {all.map((title) => (
            <option key={title}>{title}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

export const postInputOf = (values: FormData) => ({
  title: textOf(values, "title"),
  category: textOf(values, "category"),
  description: textOf(values, "description"),
});
