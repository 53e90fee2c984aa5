import { useMutation } from "@apollo/client/react";
import { CreatePostDocument, type PostInput } from "../../generated/graphql.ts";
import { messageOf } from "../../lib/error-message.ts";
import { toast } from "../../lib/toast.ts";

/** @returns whether it was published; if not, the server's message has been shown */
export function useCreatePost() {
  const [createPost, { loading }] = useMutation(CreatePostDocument, {
    // Every list of posts may begin otherwise now; they are asked anew when they are next shown.
    update: (cache) => {
      cache.evict({ id: "ROOT_QUERY", fieldName: "posts" });
      cache.evict({ id: "ROOT_QUERY", fieldName: "categories" });
    },
  });
  return {
    loading,
    createPost: async (input: PostInput, image: File): Promise<boolean> => {
      try {
        await createPost({ variables: { input, image } });
        return true;
      } catch (error) {
        toast.error(messageOf(error));
        return false;
      }
    },
  };
}
