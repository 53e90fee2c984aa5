import { useApolloClient } from "@apollo/client/react";
import {
  PublishDraftDocument,
  SaveDraftDocument,
  UploadCoverDocument,
} from "../../generated/writing/graphql.ts";
import type { Autosave } from "./autosave.ts";

type Cover = { image: File; alt: string };

/** Saves the text, uploads a new cover if there is one, and publishes. @throws the server's errors */
export function usePublish(id: string, autosave: Autosave) {
  const client = useApolloClient();

  async function setCover(version: number, cover: Cover, context: object): Promise<number> {
    const uploaded = await client.mutate({ mutation: UploadCoverDocument, variables: cover, context });
    const picture = uploaded.data?.uploadPicture.id;
    const variables = { id, version, input: { picture, alt: cover.alt } };
    const saved = await client.mutate({ mutation: SaveDraftDocument, variables });
    return saved.data ? autosave.adopt(saved.data.saveDraft) : version;
  }

  /** @returns the id of the post */
  return async (cover: Cover | null, context: object): Promise<string> => {
    const written = await autosave.flush();
    const version = cover ? await setCover(written, cover, context) : written;
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
  };
}
