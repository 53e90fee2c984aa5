export type Example = { title: string; query: string; variables?: object };

/** Words in capitals are placeholders, replaced by values of this blog. */
export const examples: Example[] = [
  {
    title: "A page of posts",
    query: `query Posts($page: Int!) {
  posts(page: $page) {
    nodes {
      id
      title
      category
      likeCount
      user {
        username
      }
    }
    pages
    totalCount
  }
}`,
    variables: { page: 1 },
  },
  {
    title: "A category, by cursor",
    query: `query Category($category: String!, $after: String) {
  posts(category: $category, first: 5, after: $after) {
    nodes {
      id
      title
      excerpt
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`,
    variables: { category: "CATEGORY" },
  },
  {
    title: "One post with its comments",
    query: `query Post($id: ID!) {
  post(id: $id) {
    title
    excerpt
    createdAt
    image {
      url
      alt
    }
    comments(first: 10) {
      nodes {
        text
        createdAt
        user {
          username
        }
      }
      totalCount
    }
  }
}`,
    variables: { id: "POST_ID" },
  },
  {
    title: "Categories",
    query: `query Categories {
  categories {
    id
    title
    postCount
  }
}`,
  },
  {
    title: "Log in",
    query: `# This signs you in here: the explorer takes the token from the response.
mutation LogIn($input: LoginInput!) {
  login(input: $input) {
    token
    viewer {
      id
      username
    }
  }
}`,
    variables: { input: { email: "EMAIL", password: "PASSWORD" } },
  },
  {
    title: "Who am I?",
    query: `# null until you sign in (above).
query Viewer {
  viewer {
    id
    username
    email
    isAdmin
    sessions {
      browser
      lastSeenAt
      isCurrent
    }
  }
}`,
  },
  {
    title: "Like a post",
    query: `mutation Like($id: ID!) {
  likePost(id: $id) {
    id
    likeCount
    viewerHasLiked
  }
}`,
    variables: { id: "POST_ID" },
  },
  {
    title: "Write a comment",
    query: `mutation Comment($postId: ID!, $text: String!) {
  createComment(postId: $postId, text: $text) {
    id
    text
    createdAt
  }
}`,
    variables: { postId: "POST_ID", text: "Well said!" },
  },
  {
    title: "Publish a post (upload)",
    query: `# Choose a picture above: it is sent as $image, in a multipart form. In a terminal:
#
# curl ORIGIN/graphql \\
#   -H "apollo-require-preflight: 1" \\
#   -H "authorization: Bearer $TOKEN" \\
#   -F 'operations={"query":"mutation ($input: PostInput!, $image: Upload!) { createPost(input: $input, image: $image) { id } }","variables":{"input":{"title":"Hello","description":"More than ten characters","category":"CATEGORY"},"image":null}}' \\
#   -F 'map={"0":["variables.image"]}' \\
#   -F '0=@picture.jpg'
mutation CreatePost($input: PostInput!, $image: Upload!) {
  createPost(input: $input, image: $image) {
    id
    title
  }
}`,
    variables: {
      input: { title: "Hello", description: "More than ten characters", category: "CATEGORY" },
      image: null,
    },
  },
];
