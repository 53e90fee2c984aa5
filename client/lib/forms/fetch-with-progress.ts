type Options = RequestInit & {
  /** Is told how much of the body has left, from 0 to 1. */
  onProgress?: (share: number) => void;
};

/** What `fetch` does for an upload, and tells how far it has come: `fetch` itself cannot. */
export function fetchWithProgress(uri: string, { method, headers, body, signal, onProgress }: Options) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method ?? "GET", uri);
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0);
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => reject(new TypeError("Failed to fetch"));
    request.onabort = () => reject(new DOMException("The upload was cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body as XMLHttpRequestBodyInit);
    if (signal?.aborted) request.abort();
  });
}

const answerOf = (request: XMLHttpRequest) =>
  new Response(request.responseText, {
    status: request.status,
    headers: { "content-type": request.getResponseHeader("content-type") ?? "" },
  });
