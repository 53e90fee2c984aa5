import { Client, fetchExchange, gql } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";

const url = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/graphql`;

// Sends a hash first, and the document where the blog does not know it.
const client = new Client({ url, exchanges: [persistedExchange({}), fetchExchange] });

const newest = gql<{ posts: { nodes: { id: string; title: string; user: { username: string } }[] } }>`
  query Newest($first: Int!) {
    posts(first: $first) {
      nodes {
        id
        title
        user {
          id
          username
        }
      }
    }
  }
`;

const { data, error } = await client.query(newest, { first: 10 }).toPromise();
if (error) throw error;
for (const { title, user } of data?.posts.nodes ?? []) console.log(`${title}, by ${user.username}`);
