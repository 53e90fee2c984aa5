import { CombinedGraphQLErrors, type ApolloClient } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import {
  DeleteDraftDocument,
  PublishDraftDocument,
  SaveDraftDocument,
  UploadCoverDocument,
} from "../../generated/writing/graphql.ts";
import { dropDraft, readDraft, writeDraft } from "../../lib/drafts/drafts.ts";
import { newId } from "../../lib/new-id.ts";
import type { postInputOf } from "./post-fields.tsx";

const FORM = "create-post publication";

type PostInput = ReturnType<typeof postInputOf>;

/** The input that is sent, the draft that is published with it, and the steps that have succeeded. */
type Attempt = { sent: string; id: string; picture?: string; version?: string };

const REFUSALS = ["BAD_USER_INPUT", "NOT_FOUND", "CONFLICT"];

const isRefused = (error: unknown) =>
  CombinedGraphQLErrors.is(error) && REFUSALS.includes(String(error.errors[0]?.extensions?.["code"]));

function ignoreMissing(error: unknown): void {
  if (!isRefused(error)) throw error;
}

type Account = { client: ApolloClient; owner: string };

function store({ owner }: Account, attempt: Attempt): Attempt {
  writeDraft(owner, FORM, attempt);
  return attempt;
}

async function upload(account: Account, attempt: Attempt, image: File, context: object): Promise<Attempt> {
  if (attempt.picture) return attempt;
  const variables = { image, alt: "" };
  const { data } = await account.client.mutate({ mutation: UploadCoverDocument, variables, context });
  return store(account, { ...attempt, ...(data && { picture: data.uploadPicture.id }) });
}

async function save(account: Account, attempt: Attempt, input: PostInput): Promise<Attempt> {
  if (attempt.version) return attempt;
  const variables = { id: attempt.id, version: 0, input: { ...input, picture: attempt.picture ?? null } };
  const { data } = await account.client.mutate({ mutation: SaveDraftDocument, variables });
  return store(account, { ...attempt, version: String(data?.saveDraft.version) });
}

async function publish({ client }: Account, { id, version }: Attempt): Promise<string> {
  const { data } = await client.mutate({
    mutation: PublishDraftDocument,
    variables: { id, version: Number(version) },
    // Any list of posts may start with the new post now: evicted lists are refetched when next shown.
    update: (cache) => {
      for (const fieldName of ["posts", "categories"]) cache.evict({ id: "ROOT_QUERY", fieldName });
    },
  });
  if (!data) throw new Error("the server sent no post");
  return data.publishDraft.id;
}

async function discard({ client, owner }: Account, { id, picture }: Attempt): Promise<void> {
  if (picture) await client.mutate({ mutation: DeleteDraftDocument, variables: { id } }).catch(ignoreMissing);
  dropDraft(owner, FORM);
}

/**
 * Publishes a post by a draft of its own. An attempt whose answer was lost is continued when the same values are sent
 * again, also after a reload, so that it makes no second post.
 * @throws the server's error
 */
export function useCreatePost(owner: string) {
  const account = { client: useApolloClient(), owner };
  return async (input: PostInput, image: File, context: object): Promise<string> => {
    const sent = JSON.stringify([input, image.name, image.size]);
    const previous = readDraft(owner, FORM) as Attempt | null;
    if (previous && previous.sent !== sent) await discard(account, previous);
    let attempt = previous?.sent === sent ? previous : store(account, { sent, id: newId() });
    try {
      attempt = await upload(account, attempt, image, context);
      attempt = await save(account, attempt, input);
      const id = await publish(account, attempt);
      dropDraft(owner, FORM);
      return id;
    } catch (error) {
      if (isRefused(error)) await discard(account, attempt).catch(() => undefined);
      throw error;
    }
  };
}
