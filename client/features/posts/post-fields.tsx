import { useQuery } from "@apollo/client/react";
import { messages } from "../../config/messages.ts";
import { PostFieldsDocument } from "../../generated/forms/graphql.ts";
import { tagNamesIn } from "../../lib/forms/tag-names.ts";
import { textOf } from "../../lib/forms/use-submit.ts";
import { ErrorNotice } from "../../ui/feedback/error-notice.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { AutoGrowField, TextArea } from "../../ui/forms/text-area.tsx";
import { TagField } from "../../ui/forms/tag-field.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { maxLengths } from "../../config/limits.ts";

export const requiredOfPosts = {
  title: messages.postTitleRequired,
  category: messages.postCategoryRequired,
  description: messages.postDescriptionRequired,
};

type Props = {
  /** Shows a long title in full, in a narrow place. */
  growingTitle?: boolean;
  values: Record<string, string>;
  errorOf: (name: string) => string | undefined;
};

export function PostFields({ values, errorOf, growingTitle = false }: Props) {
  const TitleField = growingTitle ? AutoGrowField : TextField;
  return (
    <>
      <TitleField
        label="Post Title"
        name="title"
        limit={maxLengths.title}
        error={errorOf("title")}
        defaultValue={values["title"]}
      />
      <CategoryField chosen={values["category"] ?? ""} error={errorOf("category")} />
      <TagField error={errorOf("tags")} defaultValue={values["tags"]} />
      <TextArea
        label="Post Description"
        name="description"
        className="text"
        limit={maxLengths.description}
        error={errorOf("description")}
        hint={<MarkdownHint />}
        defaultValue={values["description"]}
      />
    </>
  );
}

const MarkdownHint = () => (
  <>
    Markdown works: <code>**bold**</code>, <code>*italic*</code>, <code>[link](https://…)</code>,{" "}
    <code>`code`</code>, <code>## heading</code>, <code>- list</code>, <code>1. list</code>,{" "}
    <code>&gt; quote</code>, tables and footnotes. A blank line begins a paragraph.
  </>
);

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

const joinLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(" ");

export const postInputOf = (values: FormData) => ({
  title: joinLines(textOf(values, "title")),
  category: textOf(values, "category"),
  tags: tagNamesIn(textOf(values, "tags")),
  description: textOf(values, "description"),
});
