import { useApolloClient } from "@apollo/client/react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { SaveDraftDocument } from "../../generated/writing/graphql.ts";
import { Autosave, type AutosavePorts, type TabMessage } from "./autosave.ts";
import { dropCopy, storeCopy } from "./browser-copies.ts";
import type { ReconciledDraft } from "./reconcile.ts";

export type DraftKey = {
  owner: string;
  id: string;
  isSignedIn: boolean;
};

/** Saves a draft of this account while it is edited, and shows what other tabs of this browser write in it. */
export function useAutosave({ owner, id, isSignedIn }: DraftKey, start: ReconciledDraft) {
  const send = useSend(id);
  const [{ autosave, tabs }] = useState(() => {
    const tabs = connectTabs(id);
    const ports: AutosavePorts = {
      send,
      store: (copy) => storeCopy(owner, id, copy),
      drop: (text) => dropCopy(owner, id, text),
      announce: tabs.announce,
    };
    return { autosave: new Autosave(start, ports), tabs };
  });
  const snapshot = useSyncExternalStore(autosave.subscribe, autosave.read, autosave.read);
  useEffect(() => tabs.listen((working) => autosave.follow(working)), [tabs, autosave]);
  useEffect(() => {
    const stop = autosave.start();
    const save = () => void autosave.save();
    addEventListener("online", save);
    addEventListener("pagehide", save);
    document.addEventListener("visibilitychange", save);
    return () => {
      removeEventListener("online", save);
      removeEventListener("pagehide", save);
      document.removeEventListener("visibilitychange", save);
      stop();
    };
  }, [autosave]);
  useEffect(() => (isSignedIn ? autosave.resume() : autosave.suspend()), [autosave, isSignedIn]);
  useLeaveWarning(!snapshot.isStored);
  return { autosave, ...snapshot };
}

export function useSend(id: string): AutosavePorts["send"] {
  const client = useApolloClient();
  return async (version, { title, category, description }) => {
    const { data } = await client.mutate({
      mutation: SaveDraftDocument,
      variables: { id, version, input: { title, category, description } },
    });
    if (!data) throw new Error("the server sent no draft");
    const { version: next, updatedAt } = data.saveDraft;
    return { version: next, updatedAt };
  };
}

function connectTabs(id: string) {
  let channel: BroadcastChannel | undefined;
  return {
    announce: (working: TabMessage) => channel?.postMessage(working),
    listen: (onWork: (working: TabMessage) => void) => {
      const opened = new BroadcastChannel(`draft ${id}`);
      opened.onmessage = ({ data }) => onWork(data as TabMessage);
      channel = opened;
      return () => {
        channel = undefined;
        opened.close();
      };
    },
  };
}

/** Warns before unloading a page whose text is not stored. */
function useLeaveWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isActive]);
}
