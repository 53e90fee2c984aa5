import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { flash } from "../../lib/flash.ts";
import { Button } from "../../ui/forms/button.tsx";
import { isEmpty, type Content } from "./content.ts";
import { DraftConflict } from "./draft-conflict.tsx";
import { MarkdownTextArea } from "./editor/markdown-text-area.tsx";
import { Preview, type RenderText } from "./preview.tsx";
import { PreviewLink } from "./preview-link.tsx";
import { PublishForm, type Publication } from "./publish-form.tsx";
import type { ReconciledDraft } from "./reconcile.ts";
import { SaveStatus } from "./save-status.tsx";
import { ScheduleNotice, type Schedule } from "./schedule-notice.tsx";
import { useAutosave, type DraftKey } from "./use-autosave.ts";
import "../../ui/forms/field.css";
import "./draft-editor.css";

type Props = {
  draftKey: DraftKey;
  start: ReconciledDraft;
  categories: string[];
  back: ReactNode;
  history: ReactNode;
  renderText: RenderText;
  publication: Publication & Schedule;
  /** Whether the form for the time of publication is open at first. */
  startsWithTime: boolean;
  /** Called with the text of a draft that the server does not have any more. */
  onSaveAsNew: (content: Content) => void;
};

export function DraftEditor({ draftKey, start, categories, back, renderText, publication, ...props }: Props) {
  const { history, startsWithTime, onSaveAsNew } = props;
  const { autosave, content, state, isStored } = useAutosave(draftKey, start);
  const [isPreviewed, setPreviewed] = useState(false);
  const [form, setForm] = useState<"closed" | "open" | "time">(startsWithTime ? "time" : "closed");
  const opener = useRef<HTMLButtonElement>(null);
  const isPublishing = form !== "closed";
  const closeForm = () => {
    setForm("closed");
    opener.current?.focus();
  };
  useSaveKey(() => void autosave.save());
  const change = (part: Partial<Content>) => autosave.change(part);
  return (
    <div className="draft-editor" data-preview={isPreviewed || undefined}>
      <header className="bar">
        {back}
        <button type="button" aria-pressed={isPreviewed} onClick={() => setPreviewed(!isPreviewed)}>
          Preview
        </button>
        <button
          ref={opener}
          type="button"
          className="primary"
          aria-expanded={isPublishing}
          onClick={() => setForm(isPublishing ? "closed" : "open")}
        >
          {publication.isUpdate ? "Update…" : "Publish…"}
        </button>
        {history}
        <SaveStatus state={state} isStored={isStored} />
      </header>
      <h1 className="visually-hidden">Write</h1>
      <ScheduleNotice
        // Another schedule is another notice, whose button is not busy.
        key={publication.publishAt}
        id={draftKey.id}
        autosave={autosave}
        publishAt={publication.publishAt}
        publishError={publication.publishError}
        onChange={() => setForm("time")}
        onUnscheduled={closeForm}
      />
      {isPublishing && (
        <>
          <PublishForm
            key={form}
            draftKey={draftKey}
            autosave={autosave}
            startsWithTime={form === "time"}
            onScheduled={() => {
              flash("This draft will be published at its time");
              closeForm();
            }}
            {...publication}
          />
          <PreviewLink id={draftKey.id} autosave={autosave} />
        </>
      )}
      {state.kind === "conflict" ? (
        <DraftConflict mine={content} theirs={state.theirs} onChosen={(text) => autosave.choose(text)} />
      ) : (
        <>
          {state.kind === "gone" && (
            <div>
              <Button type="button" variant="quiet" onClick={() => onSaveAsNew(content)}>
                Keep as a new draft
              </Button>
            </div>
          )}
          <Fields owner={draftKey.owner} content={content} categories={categories} onChange={change}>
            {isPreviewed && <Preview text={content.description} renderText={renderText} />}
          </Fields>
        </>
      )}
    </div>
  );
}

type FieldsProps = Pick<Props, "categories"> & {
  owner: string;
  content: Content;
  onChange: (part: Partial<Content>) => void;
  children: ReactNode;
};

function Fields({ owner, content, categories, onChange, children }: FieldsProps) {
  const { title, category, description } = content;
  const all = category && !categories.includes(category) ? [category, ...categories] : categories;
  return (
    <>
      <textarea
        className="title"
        dir="auto"
        aria-label="Title"
        placeholder="Title"
        rows={1}
        value={title}
        autoFocus={isEmpty(content)}
        onChange={({ target }) => onChange({ title: target.value.replaceAll("\n", " ") })}
        onKeyDown={leaveTitle}
      />
      <select
        className="input"
        dir="auto"
        aria-label="Category"
        value={category}
        onChange={({ target }) => onChange({ category: target.value })}
      >
        <option value="">Select A Category</option>
        {all.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <div className="panes">
        <MarkdownTextArea
          owner={owner}
          value={description}
          onChange={(text) => onChange({ description: text })}
        />
        {children}
      </div>
    </>
  );
}

/** Enter leads from the title, which has one line, to the text. */
function leaveTitle(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.parentElement?.querySelector<HTMLElement>("textarea.text")?.focus();
}

/** Ctrl+S and Cmd+S save, wherever the focus is. */
function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      save();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [save]);
}
