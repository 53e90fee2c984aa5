import type { Place } from "./ask.ts";
import { examples } from "./examples.ts";

type Operation = { query: string; variables: string };
type Props = { place: Place; onChoose: (operation: Operation) => void };

export function ExampleField({ place, onChoose }: Props) {
  const choose = (title: string) => {
    const { query = "", variables } = examples.find((each) => each.title === title) ?? {};
    const text = variables ? JSON.stringify(variables, null, 2) : "";
    onChoose({ query: fillIn(query, place), variables: fillIn(text, place) });
  };
  return (
    <label>
      Example
      <select defaultValue="" onChange={({ target }) => choose(target.value)}>
        <option value="" disabled>
          Choose one …
        </option>
        {examples.map(({ title }) => (
          <option key={title}>{title}</option>
        ))}
      </select>
    </label>
  );
}

const fillIn = (text: string, place: Place) =>
  Object.entries(place).reduce((filled, [word, value]) => filled.replaceAll(word, value), text);
