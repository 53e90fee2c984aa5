const INTERVAL_MS = 1_000;

type Watched = {
  isRunning: () => Promise<boolean>;
  restart: () => Promise<void>;
  onRestart: () => void;
  onFailure: (error: Error) => void;
};

/** Restarts a process that has ended, until a restart fails. @returns ends the watch, after a restart that is under way */
export function watchProcess({ isRunning, restart, onRestart, onFailure }: Watched): () => Promise<void> {
  let look: Promise<void> | null = null;
  async function check(): Promise<void> {
    try {
      if (await isRunning()) return;
      await restart();
      onRestart();
    } catch (error) {
      clearInterval(timer);
      onFailure(error as Error);
    }
  }
  const timer = setInterval(() => {
    look ??= check().finally(() => (look = null));
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await look;
  };
}
