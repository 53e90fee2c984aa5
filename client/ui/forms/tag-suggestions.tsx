import { useApolloClient } from "@apollo/client/react";
import { useEffect, useEffectEvent, useId, useState } from "react";
import { SuggestTagsDocument, type SuggestTagsQuery } from "../../generated/forms/graphql.ts";
import { tagNamesIn, textOfTags } from "../../lib/forms/tag-names.ts";

const PAUSE_MS = 150;

type Tag = SuggestTagsQuery["tags"]["nodes"][number];

export type TagSuggestionsProps = { input: HTMLInputElement };

/** The popup of a combobox whose text field is `input`. The last of its names is the one that is being typed. */
export function TagSuggestions({ input }: TagSuggestionsProps) {
  const id = useId();
  const [active, setActive] = useState(-1);
  const { tags, clear } = useSuggestions(input, () => setActive(-1));
  const close = () => {
    clear();
    setActive(-1);
  };
  const choose = ({ name }: Tag) => {
    close();
    completeLast(input, name);
  };
  const optionId = (index: number) => `${id}-${index}`;
  useKeys(input, (key) => {
    const tag = tags[active];
    if (tags.length === 0) return false;
    if (key === "ArrowDown") setActive((active + 1) % tags.length);
    else if (key === "ArrowUp") setActive((active <= 0 ? tags.length : active) - 1);
    else if (key === "Enter" && tag) choose(tag);
    else if (key === "Escape" || key === "Tab") close();
    else return false;
    return key !== "Tab";
  });
  useComboboxState(input, { id, isOpen: tags.length > 0, activeId: active >= 0 ? optionId(active) : null });
  return (
    <>
      <ul id={id} role="listbox" aria-label="Suggested tags" hidden={tags.length === 0}>
        {tags.map((tag, index) => (
          <li
            key={tag.id}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(tag)}
          >
            <span dir="auto">{tag.name}</span>
            <span className="count">{tag.postCount}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {tags.length > 0 && `${tags.length} ${tags.length === 1 ? "suggestion" : "suggestions"}`}
      </p>
    </>
  );
}

const namesBefore = (text: string) => tagNamesIn(text.slice(0, text.lastIndexOf(",") + 1));

function completeLast(input: HTMLInputElement, name: string): void {
  input.value = `${textOfTags([...namesBefore(input.value), name])}, `;
  // React listens to events, not to assignments.
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function useSuggestions(input: HTMLInputElement, onChange: () => void) {
  const client = useApolloClient();
  const [tags, setTags] = useState<Tag[]>([]);
  // The user may have typed before this code was loaded.
  const [text, setText] = useState(() => (input.value === input.defaultValue ? "" : input.value));
  const typed = useEffectEvent(() => {
    onChange();
    setText(input.value);
  });
  useEffect(() => {
    const onInput = () => typed();
    const onBlur = () => setText("");
    input.addEventListener("input", onInput);
    input.addEventListener("blur", onBlur);
    return () => {
      input.removeEventListener("input", onInput);
      input.removeEventListener("blur", onBlur);
    };
  }, [input]);
  useEffect(() => {
    const search = text.split(",").at(-1)?.trim() ?? "";
    let isCurrent = true;
    const load = async () => {
      const { data } = search
        ? await client.query({ query: SuggestTagsDocument, variables: { search } })
        : { data: undefined };
      const present = new Set(namesBefore(text).map((name) => name.toLowerCase()));
      if (isCurrent) setTags(data?.tags.nodes.filter(({ name }) => !present.has(name.toLowerCase())) ?? []);
    };
    const timer = setTimeout(() => void load().catch(() => isCurrent && setTags([])), search ? PAUSE_MS : 0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, text]);
  const clear = () => {
    setTags([]);
    setText("");
  };
  return { tags, clear };
}

/** @param handle returns whether it has used the key */
function useKeys(input: HTMLInputElement, handle: (key: string) => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || !handle(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    input.addEventListener("keydown", listener);
    return () => input.removeEventListener("keydown", listener);
  }, [input]);
}

type ComboboxState = { id: string; isOpen: boolean; activeId: string | null };

function useComboboxState(input: HTMLInputElement, { id, isOpen, activeId }: ComboboxState): void {
  useEffect(() => {
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": id,
      "aria-expanded": String(isOpen),
    };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    if (activeId) input.setAttribute("aria-activedescendant", activeId);
    else input.removeAttribute("aria-activedescendant");
  }, [input, id, isOpen, activeId]);
}
