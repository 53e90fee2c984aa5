type Options = RequestInit & {
  /** Receives the sent share of the body, from 0 to 1. */
  onProgress?: (share: number) => void;
};

/** A `fetch` by XMLHttpRequest, because `fetch` reports no upload progress. */
export function fetchWithProgress(uri: string, { method, headers, body, signal, onProgress }: Options) {
  return new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method ?? "GET", uri);
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0);
    request.onload = () => resolve(responseOf(request));
    request.onerror = () => reject(new TypeError("Failed to fetch"));
    request.onabort = () => reject(new DOMException("The upload was cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body as XMLHttpRequestBodyInit);
    if (signal?.aborted) request.abort();
  });
}

const responseOf = (request: XMLHttpRequest) =>
  new Response(request.responseText, {
    status: request.status,
    headers: { "content-type": request.getResponseHeader("content-type") ?? "" },
  });
