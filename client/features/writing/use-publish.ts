import { CombinedGraphQLErrors } from "@apollo/client";
import { useApolloClient } from "@apollo/client/react";
import { useRef } from "react";
import {
  PublishDraftDocument,
  RebaseDraftDocument,
  SavePublicationDocument,
  UploadCoverDocument,
} from "../../generated/writing/graphql.ts";
import type { Autosave } from "./autosave.ts";
import type { Content } from "./content.ts";
import { useSchedule } from "./use-schedule.ts";

type Cover = { image: File; alt: string };
/** To change in the draft; null stays as it is. */
export type Choices = { cover: Cover | null; tags: string[] | null };

const keyOf = ({ image, alt }: Cover) => JSON.stringify([image.name, image.size, image.lastModified, alt]);

/** @returns whether the draft with the saved choices has these as well */
const contains = (saved: Choices, { cover, tags }: Choices): boolean =>
  (!cover || (saved.cover !== null && keyOf(cover) === keyOf(saved.cover))) &&
  (!tags || String(tags) === String(saved.tags));

/** Publishes the draft now or later. All save its text, changed tags and a new cover first. @throws the server's errors */
export function usePublish(id: string, autosave: Autosave) {
  const client = useApolloClient();
  const setTime = useSchedule(id);
  /** The draft contains these, and is gone if only the last answer was lost. */
  const last = useRef<Choices & { version: number }>(null);

  async function uploadCover(cover: Cover, context: object) {
    const uploaded = await client.mutate({ mutation: UploadCoverDocument, variables: cover, context });
    return { picture: uploaded.data?.uploadPicture.id, alt: cover.alt };
  }

  async function save(choices: Choices, context: object): Promise<number> {
    const { cover, tags } = choices;
    const version = await autosave.flush();
    if (!cover && !tags) return version;
    if (last.current?.version === version && contains(last.current, choices)) return version;
    const input = { ...(tags && { tags }), ...(cover && (await uploadCover(cover, context))) };
    const variables = { id, version, input };
    const saved = await client.mutate({ mutation: SavePublicationDocument, variables });
    if (!saved.data) return version;
    last.current = { version: autosave.adopt(saved.data.saveDraft), ...choices };
    return last.current.version;
  }

  async function publishVersion(version: number): Promise<string> {
    const { data } = await client.mutate({
      mutation: PublishDraftDocument,
      variables: { id, version },
      update: (cache, { data: published }) => {
        for (const fieldName of ["posts", "categories", "viewer"])
          cache.evict({ id: "ROOT_QUERY", fieldName });
        if (published)
          cache.evict({ id: cache.identify({ __typename: "Post", id: published.publishDraft.id }) });
      },
    });
    if (!data) throw new Error("the server sent no post");
    return data.publishDraft.id;
  }

  return {
    publish: async (choices: Choices, context: object) => publishVersion(await save(choices, context)),
    /** Replaces a state of the post that was published since the draft was begun. */
    async publishOver(postUpdatedAt: string) {
      const variables = { id, version: await autosave.flush(), postUpdatedAt };
      const { data } = await client.mutate({ mutation: RebaseDraftDocument, variables });
      if (!data) throw new Error("the server sent no draft");
      return publishVersion(autosave.adopt(data.saveDraft));
    },
    async schedule(publishAt: Date, choices: Choices, context: object) {
      autosave.adopt(await setTime(await save(choices, context), publishAt));
    },
  };
}

export type PublishedState = Content & { updatedAt: string };

/** @returns the present state of the post, if publishing was refused because it was changed since the draft was begun */
export function changedPostIn(error: unknown): PublishedState | null {
  const current = CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.["current"];
  return (current as { post?: PublishedState } | undefined)?.post ?? null;
}
