import { useMutation } from "@apollo/client/react";
import { CreatePostDocument, type PostInput } from "../../generated/forms/graphql.ts";

/** @throws the server's error */
export function useCreatePost() {
  const [createPost] = useMutation(CreatePostDocument, {
    // Any list of posts may start with the new post now: evicted lists are refetched when next shown.
    update: (cache) => {
      cache.evict({ id: "ROOT_QUERY", fieldName: "posts" });
      cache.evict({ id: "ROOT_QUERY", fieldName: "categories" });
    },
  });
  return (input: PostInput, image: File, context: object) =>
    createPost({ variables: { input, image }, context });
}
