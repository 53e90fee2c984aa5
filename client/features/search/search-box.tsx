import { useQuery } from "@apollo/client/react";
import { useEffect, useId, useState, type KeyboardEvent, type SubmitEvent } from "react";
import { useNavigate } from "react-router-dom";
import { categoryPath, paths, postPath, profilePath, tagPath } from "../../config/paths.ts";
import { SearchSuggestionsDocument, type SearchSuggestionsQuery } from "../../generated/search/graphql.ts";
import { SearchIcon } from "../../ui/basics/icons.tsx";
import "../../ui/forms/field.css";
import "../../ui/forms/search-field.css";
import { HighlightedText } from "./highlighted-text.tsx";
import { searchPath } from "./search-path.ts";
import "./search-box.css";
import { maxLengths } from "../../config/limits.ts";

type Suggestion = SearchSuggestionsQuery["search"]["edges"][number];

const PAUSE_MS = 200;

/** The search of the header: a combobox, whose list shows results while one types. */
export function SearchBox({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const found = useSuggestions(text.trim());
  const { chosen, reset, onKeyDown } = useChosenOption(found);
  const navigate = useNavigate();
  const list = useId();
  useFocusReturn();
  const go = (path: string) => {
    close();
    void navigate(path);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    go(chosen ? pathOf(chosen) : searchPath(text.trim()));
  };
  return (
    <form role="search" action={paths.search} className="search-box" onSubmit={onSubmit}>
      <div className="search-field">
        <SearchIcon />
        <input
          ref={focusInPlace}
          className="input"
          type="search"
          name="q"
          role="combobox"
          aria-label="Search posts, authors and categories"
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={list}
          aria-activedescendant={chosen && optionId(list, chosen)}
          placeholder="Search posts, authors and categories"
          maxLength={maxLengths.query}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            reset();
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul id={list} role="listbox" aria-label="Results" hidden={found.length === 0}>
        {found.map((each) => (
          <Option
            key={each.node.id}
            id={optionId(list, each)}
            suggestion={each}
            selected={each === chosen}
            choose={() => go(pathOf(each))}
          />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {found.length > 0 &&
          `${found.length} ${found.length === 1 ? "result" : "results"}, arrow keys to choose`}
      </p>
    </form>
  );
}

// Otherwise the browser scrolls to where the sticky header has its place in the page: to the top.
const focusInPlace = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true });

const optionId = (list: string, { node }: Suggestion) => `${list}-${node.id}`;

type OptionProps = { id: string; suggestion: Suggestion; selected: boolean; choose: () => void };

// A screen reader stays in the field, which names the active option: options take no focus.
const Option = ({ id, suggestion, selected, choose }: OptionProps) => (
  <li
    id={id}
    role="option"
    aria-selected={selected}
    onPointerDown={(event) => event.preventDefault()}
    onClick={choose}
  >
    <span dir="auto">
      <HighlightedText parts={suggestion.title} />
    </span>{" "}
    <span className="kind">{kindOf(suggestion)}</span>
  </li>
);

function kindOf({ node }: Suggestion): string {
  if (node.__typename === "Post") return node.category;
  return node.__typename === "Profile" ? "Author" : node.__typename;
}

function pathOf({ node }: Suggestion): string {
  if (node.__typename === "Post") return postPath(node.id);
  if (node.__typename === "Profile") return profilePath(node.id);
  return node.__typename === "Tag" ? tagPath(node.name) : categoryPath(node.title);
}

/** The results for what was typed last, once typing pauses; those before stay until then. */
function useSuggestions(text: string): Suggestion[] {
  const [query, setQuery] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, previousData, error } = useQuery(SearchSuggestionsDocument, {
    variables: { query },
    skip: query === "",
  });
  // A query without words, such as a dash, has no results.
  if (!text || !query || error) return [];
  return (data ?? previousData)?.search.edges ?? [];
}

function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}

/** The option that arrow keys have reached. It stays the same one when results arrive late and change the list. */
function useChosenOption(found: Suggestion[]) {
  const [id, setId] = useState<string>();
  const at = found.findIndex(({ node }) => node.id === id);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || found.length === 0) return;
    event.preventDefault();
    const places = found.length + 1;
    setId(found[((at + 1 + step + places) % places) - 1]?.node.id);
  };
  return { chosen: found[at], reset: () => setId(undefined), onKeyDown };
}
