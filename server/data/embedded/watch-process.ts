/** Milliseconds between two looks. */
const INTERVAL = 1_000;

type Watched = {
  isRunning: () => Promise<boolean>;
  /** Called once for each end of the process. */
  restart: () => Promise<void>;
  onRestart: () => void;
  /** Called at most once: the watch ends with a failed restart. */
  onFailure: (error: Error) => void;
};

/** Restarts a process that has ended by itself. @returns ends the watch, after a restart that is under way */
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
  }, INTERVAL).unref();
  return async () => {
    clearInterval(timer);
    await look;
  };
}
