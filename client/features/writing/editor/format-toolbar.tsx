import { useRef, useState, type KeyboardEvent } from "react";
import { formats, type Format } from "./formats.ts";

type Props = { textId: string; onFormat: (format: Format) => void };

/** One stop of the Tab key; the arrow keys move within it. */
export function FormatToolbar({ textId, onFormat }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (current + step + formats.length) % formats.length;
    setCurrent(next);
    bar.current?.querySelectorAll("button").item(next).focus();
  };
  return (
    <div
      className="toolbar"
      role="toolbar"
      aria-label="Formatting"
      aria-controls={textId}
      ref={bar}
      onKeyDown={move}
    >
      {formats.map((format, index) => (
        <button
          key={format.label}
          type="button"
          className={format.label.toLowerCase()}
          title={format.key ? `${format.label} (Ctrl+${format.key.toUpperCase()})` : format.label}
          aria-label={format.label}
          aria-keyshortcuts={
            format.key && `Control+${format.key.toUpperCase()} Meta+${format.key.toUpperCase()}`
          }
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onClick={() => onFormat(format)}
        >
          {format.sign ?? format.label}
        </button>
      ))}
    </div>
  );
}
