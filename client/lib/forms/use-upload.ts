import { useEffect, useRef, useState } from "react";

/** Reports progress and can be cancelled; unmounting cancels. While it runs, leaving the site needs confirmation. */
export function useUpload() {
  const [progress, setProgress] = useState<number | null>(null);
  const controller = useRef<AbortController>(null);
  const cancel = () => controller.current?.abort();
  useEffect(() => cancel, []);
  useLeaveWarning(progress !== null);

  async function upload<T>(send: (context: object) => Promise<T>): Promise<T> {
    controller.current = new AbortController();
    setProgress(0);
    try {
      return await send({ fetchOptions: { signal: controller.current.signal, onProgress: setProgress } });
    } finally {
      setProgress(null);
    }
  }

  return { progress, cancel, upload };
}

function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [active]);
}
