import { useMutation } from "@apollo/client/react";
import { CreatePostDocument, type PostInput } from "../../generated/graphql.ts";

/** @throws what the server answers */
export function useCreatePost() {
  const [createPost] = useMutation(CreatePostDocument, {
    // Every list of posts may begin otherwise now; they are asked anew when they are next shown.
    update: (cache) => {
      cache.evict({ id: "ROOT_QUERY", fieldName: "posts" });
      cache.evict({ id: "ROOT_QUERY", fieldName: "categories" });
    },
  });
  return (input: PostInput, image: File, context: object) =>
    createPost({ variables: { input, image }, context });
}
