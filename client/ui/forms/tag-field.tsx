import { useState } from "react";
import { lazyComponent } from "../../lib/lazy-component.tsx";
import type { TagSuggestionsProps } from "./tag-suggestions.tsx";
import { TextField } from "./text-field.tsx";
import "./tag-field.css";

const TagSuggestions = lazyComponent<TagSuggestionsProps>(
  async () => (await import("./tag-suggestions.tsx")).TagSuggestions,
);

type Props = { error?: string | undefined; defaultValue?: string | undefined };

/** A text field of names between commas, which suggests the tags of other posts while one types. */
export function TagField({ error, defaultValue }: Props) {
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  return (
    <div className="tag-field">
      <TextField
        label="Tags"
        name="tags"
        autoComplete="off"
        hint="Up to five, with commas between them."
        defaultValue={defaultValue}
        onFocus={({ currentTarget }) => setInput(currentTarget)}
        {...(error !== undefined && { error })}
      />
      {input && <TagSuggestions input={input} />}
    </div>
  );
}
