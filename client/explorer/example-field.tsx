import type { Placeholders } from "./send-operation.ts";
import { examples } from "./examples.ts";

export type Operation = { query: string; variables: string };
type Props = { placeholders: Placeholders; onChoose: (operation: Operation) => void };

export function ExampleField({ placeholders, onChoose }: Props) {
  const choose = (title: string) => {
    const { query = "", variables } = examples.find((each) => each.title === title) ?? {};
    const text = variables ? JSON.stringify(variables, null, 2) : "";
    onChoose({ query: fillIn(query, placeholders), variables: fillIn(text, placeholders) });
  };
  return (
    <label>
      Example
      {/* Always shows its prompt, so that an example can be opened again. */}
      <select value="" onChange={({ target }) => choose(target.value)}>
        <option value="" disabled>
          Open one …
        </option>
        {examples.map(({ title }) => (
          <option key={title}>{title}</option>
        ))}
      </select>
    </label>
  );
}

const fillIn = (text: string, placeholders: Placeholders) =>
  Object.entries(placeholders).reduce((filled, [word, value]) => filled.replaceAll(word, value), text);
