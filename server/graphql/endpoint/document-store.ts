import type { DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

/** Those that succeed have a plan (compiled/plans.ts). One may take 500 kB: 2 000 tokens, each an object. */
const MAX_DOCUMENTS = 50;

export type DocumentStore = ReturnType<typeof openDocumentStore>;

/** Parsed and valid documents, for Apollo. Its own store is bounded by 30 MB of JSON, which take twice that in memory. */
export function openDocumentStore() {
  const documents = new LRUCache<string, DocumentNode>({ max: MAX_DOCUMENTS });
  return {
    size: () => documents.size,
    get: async (key: string) => documents.get(key),
    set: async (key: string, document: DocumentNode) => void documents.set(key, document),
    delete: async (key: string) => documents.delete(key),
  };
}
