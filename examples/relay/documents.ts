// What relay-compiler reads; `npx relay-compiler` in this folder writes __generated__. Nothing imports this file.

import { graphql } from "relay-runtime";

export const newest = graphql`
  query documentsNewestQuery {
    posts(first: 1) {
      nodes {
        id
      }
    }
  }
`;

export const post = graphql`
  query documentsPostQuery($id: ID!, $count: Int!) {
    post(id: $id) {
      id
      title
      ...documents_comments @arguments(count: $count)
    }
    viewer {
      id
      profile {
        id
        username
      }
    }
  }
`;

export const comments = graphql`
  fragment documents_comments on Post
  @refetchable(queryName: "documentsMoreCommentsQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" }) {
    comments(first: $count, after: $cursor) @connection(key: "documents_comments") {
      edges {
        node {
          id
          text
          user {
            id
            username
          }
        }
      }
    }
  }
`;

export const deletion = graphql`
  mutation documentsDeleteMutation($id: ID!) {
    deleteComment(id: $id) {
      deletedId @deleteRecord
    }
  }
`;
