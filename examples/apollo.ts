import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from "@apollo/client";

const uri = `${process.env["BLOG_URL"] ?? "http://localhost:4000"}/graphql`;
const client = new ApolloClient({ link: new HttpLink({ uri, fetch }), cache: new InMemoryCache() });

type Page = {
  posts: {
    nodes: { id: string; title: string }[];
    pageInfo: { endCursor: string | null; hasNextPage: boolean };
  };
};

const page: TypedDocumentNode<Page, { after: string | null }> = gql`
  query Page($after: String) {
    posts(first: 2, after: $after) {
      nodes {
        id
        title
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`;

for (let after: string | null = null, more = true; more;) {
  const { data }: { data?: Page | undefined } = await client.query({ query: page, variables: { after } });
  if (!data) break;
  for (const { title } of data.posts.nodes) console.log(title);
  after = data.posts.pageInfo.endCursor;
  more = data.posts.pageInfo.hasNextPage;
}
client.stop();
