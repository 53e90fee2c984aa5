import { useState, type ReactNode } from "react";
import type { Comparison } from "../../lib/comparison/compare.ts";
import { shorten, type Part } from "../../lib/comparison/word-diff.ts";
import { Button } from "../forms/button.tsx";
import "./text-comparison.css";

/** Marks what a version has lost and gained since. @param props.children other actions */
export function TextComparison({ title, category, text, children }: Comparison & { children?: ReactNode }) {
  const [isWhole, setWhole] = useState(false);
  const short = shorten(text);
  const isShortened = short.some((part, index) => part.text !== text[index]?.text);
  return (
    <>
      <div className="actions">
        {children}
        {isShortened && (
          <Button type="button" variant="quiet" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            Show the whole text
          </Button>
        )}
      </div>
      <div className="text-comparison">
        {category && (
          <p className="meta">
            <Marked parts={category} />
          </p>
        )}
        <h3 dir="auto">
          <Marked parts={title} />
        </h3>
        <div className="text" dir="auto">
          <Marked parts={isWhole ? text : short} />
        </div>
      </div>
    </>
  );
}

const ELEMENTS = { same: "span", removed: "del", added: "ins" } as const;

const Marked = ({ parts }: { parts: Part[] }) =>
  parts.map(({ kind, text }, index) => {
    const Element = ELEMENTS[kind];
    return <Element key={index}>{text}</Element>;
  });
