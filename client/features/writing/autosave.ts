import { ShownError } from "../../lib/forms/error-message.ts";
import type { BrowserCopy } from "./browser-copies.ts";
import { contentOf, isSame, type Content, type SavedDraft } from "./content.ts";
import { describeState } from "./describe-state.ts";
import type { ReconciledDraft } from "./reconcile.ts";
import { failureOf, type SaveFailure } from "./save-failure.ts";

const SAVE_DELAY_MS = 1_000;
const RETRY_DELAY_MS = 10_000;
/** A tab that shows what another one writes saves it as well, in case the other was closed. */
const FOLLOWER_DELAY_MS = 4_000;
const REMEMBERED_TEXTS = 20;

export type SaveState =
  { kind: "new" | "saving" | "signed-out" } | { kind: "saved"; at: string } | SaveFailure;

/** A message to other tabs: the saved state, and the latest text, if it changed. */
export type TabMessage = { base: SavedDraft; written?: Content };

export type AutosavePorts = {
  /** Replaces a version on the server. @throws the server's error */
  send: (version: number, content: Content) => Promise<{ version: number; updatedAt: string }>;
  /** Stores the copy in this browser. @returns whether it could */
  store: (copy: BrowserCopy) => boolean;
  /** Deletes this browser's copy; with a text, only the copy of that text. */
  drop: (text?: Content) => void;
  announce: (working: TabMessage) => void;
};

/** Saves a draft while it is written: each change at once in the browser, and after a pause on the server. */
export class Autosave {
  readonly #ports: AutosavePorts;
  readonly #listeners = new Set<() => void>();
  #base: SavedDraft;
  #content: Content;
  #state: SaveState;
  #snapshot;
  #isStored = true;
  #sending: Promise<void> | undefined;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Sent without a response yet: the server may have it. */
  #sent: Content | undefined;
  /** Earlier states of the text: one of them on the server is no other writer's. */
  #ancestors: Content[];

  constructor({ base, content, theirs, isGone }: ReconciledDraft, ports: AutosavePorts) {
    this.#ports = ports;
    this.#base = base;
    this.#content = content;
    this.#ancestors = [content];
    this.#state = theirs ? { kind: "conflict", theirs } : isGone ? { kind: "gone" } : this.#savedState();
    this.#snapshot = { content, state: this.#state, isStored: true };
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  read = () => this.#snapshot;

  /** Saves what was restored from the browser. @returns a function that saves for the last time and stops */
  start(): () => void {
    this.#isStopped = false;
    void this.save();
    return () => {
      this.#isStopped = true;
      void this.save();
    };
  }

  change(part: Partial<Content>): void {
    this.#content = { ...this.#content, ...part };
    this.#store();
    this.#ports.announce({ base: this.#base, written: this.#content });
    if (this.#isHalted()) return this.#show(this.#state);
    this.#show({ kind: "saving" });
    this.#schedule(SAVE_DELAY_MS);
  }

  /** Shows what another tab of this browser writes in the same draft. A text written here stays until then. */
  follow({ base, written }: TabMessage): void {
    const isFollower = written !== undefined || !this.#isDirty();
    if (this.#isHalted() && !written) return;
    this.#remember(this.#content);
    if (base.version >= this.#base.version) this.#base = base;
    if (isFollower) this.#content = contentOf(written ?? this.#base);
    this.#settle(isFollower ? FOLLOWER_DELAY_MS : SAVE_DELAY_MS);
  }

  async save(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#sending) return this.#sending;
    if (this.#isHalted()) return;
    if (!this.#isDirty()) return this.#settle();
    this.#sending = this.#send(this.#content).finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #send(text: Content): Promise<void> {
    this.#sent = text;
    this.#remember(text);
    this.#store();
    this.#show({ kind: "saving" });
    try {
      const saved = await this.#ports.send(this.#base.version, text);
      this.#base = { ...text, ...saved };
      this.#sent = undefined;
      this.#settle();
      this.#ports.announce({ base: this.#base });
    } catch (error) {
      this.#fail(failureOf(error));
    }
  }

  /** Saves what is written. @returns its version @throws if the server does not have it */
  async flush(): Promise<number> {
    // A text that is being sent may be older.
    await this.#sending;
    await this.save();
    if (this.#isDirty() || this.#isHalted() || this.#base.version === 0)
      throw new ShownError(describeState(this.#state, this.#isStored));
    return this.#base.version;
  }

  /** Continues from a change of the same text that somebody else has saved. @returns its version */
  adopt({ version, updatedAt }: { version: number; updatedAt: string }): number {
    this.#base = { ...this.#base, version, updatedAt };
    this.#settle();
    this.#ports.announce({ base: this.#base });
    return version;
  }

  /** Keeps what is written in the browser alone: another account may sign in next. */
  suspend(): void {
    clearTimeout(this.#timer);
    if (this.#isHalted()) return;
    this.#state = { kind: "signed-out" };
    this.#store();
    this.#show(this.#state);
  }

  resume(): void {
    if (this.#state.kind !== "signed-out") return;
    this.#state = { kind: "saving" };
    void this.save();
  }

  /** Ends a conflict: this text replaces the other one on the server. */
  choose(text: Content): void {
    if (this.#state.kind !== "conflict") return;
    this.#base = this.#state.theirs;
    this.#content = contentOf(text);
    this.#sent = undefined;
    this.#state = { kind: "saving" };
    this.#store();
    this.#ports.announce({ base: this.#base, written: this.#content });
    void this.save();
  }

  #isDirty = () => !isSame(this.#content, this.#base);
  #isHalted = () => ["conflict", "gone", "signed-out"].includes(this.#state.kind);

  #savedState(): SaveState {
    const { version, updatedAt } = this.#base;
    return version > 0 ? { kind: "saved", at: updatedAt } : { kind: "new" };
  }

  #show(state: SaveState): void {
    this.#state = state;
    this.#snapshot = { content: this.#content, state, isStored: this.#isStored };
    for (const listener of this.#listeners) listener();
  }

  #store(): void {
    const isNeeded = this.#isDirty() || (this.#isHalted() && this.#state.kind !== "signed-out");
    // A stopped editor must not replace the copy of one that was opened since.
    if (!isNeeded) this.#ports.drop(this.#isStopped ? this.#content : undefined);
    else if (!this.#isStopped)
      this.#isStored = this.#ports.store({
        ...this.#content,
        version: this.#base.version,
        sent: this.#sent,
      });
    if (!isNeeded) this.#isStored = true;
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), delay);
  }

  /** Shows how what is written relates to what is saved, and saves the rest. */
  #settle(delay = SAVE_DELAY_MS): void {
    if (this.#state.kind === "signed-out") {
      this.#store();
      return this.#show(this.#state);
    }
    this.#show(this.#isDirty() ? { kind: "saving" } : this.#savedState());
    this.#store();
    if (this.#isDirty()) this.#schedule(this.#isStopped ? 0 : delay);
  }

  #remember(text: Content): void {
    this.#ancestors = [text, ...this.#ancestors].slice(0, REMEMBERED_TEXTS);
  }

  #fail(failure: SaveFailure): void {
    if (this.#isHalted()) return;
    if (failure.kind === "conflict" && this.#isKnown(failure.theirs)) {
      this.#base = failure.theirs;
      this.#sent = undefined;
      return this.#settle();
    }
    this.#show(failure);
    if (!this.#isHalted() && !this.#isStopped) this.#schedule(RETRY_DELAY_MS);
  }

  #isKnown = (theirs: Content) =>
    [this.#content, this.#base, ...this.#ancestors].some((text) => isSame(text, theirs));
}
