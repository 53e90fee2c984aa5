import { CombinedError, Client, fetchExchange, gql } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import * as relayRuntime from "relay-runtime";
import { beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/app.ts";
import deleteComment from "../../examples/relay/__generated__/documentsDeleteMutation.graphql.ts";
import moreComments from "../../examples/relay/__generated__/documentsMoreCommentsQuery.graphql.ts";
import postAndViewer from "../../examples/relay/__generated__/documentsPostQuery.graphql.ts";
import comments from "../../examples/relay/__generated__/documents_comments.graphql.ts";
import { createComment, createPost } from "../testing/factories.ts";
import { makePicture } from "../testing/pictures.ts";

// Common client libraries with their default settings.

let blog: TestApp;
let url: string;
let maya: Awaited<ReturnType<TestApp["signUp"]>>;
const requests: { method: string; sent: string }[] = [];

const recordingFetch: typeof fetch = (input, init) => {
  const sent =
    decodeURIComponent(String(input).replaceAll("+", " ")) +
    (typeof init?.body === "string" ? init.body : "");
  requests.push({ method: init?.method ?? "GET", sent });
  return fetch(input, init);
};

beforeAll(async () => {
  blog = await startTestApp();
  url = await blog.app.listen({ port: 0, host: "127.0.0.1" });
  maya = await blog.signUp();
  await createPost(blog.db, { userId: maya.id, title: "For every client" });
});

const titles = gql`
  query Titles {
    posts {
      nodes {
        id
        title
      }
    }
  }
`;

describe("urql", () => {
  const urql = (options: Partial<ConstructorParameters<typeof Client>[0]> = {}) =>
    new Client({ url: `${url}/graphql`, exchanges: [fetchExchange], fetch: recordingFetch, ...options });

  test("reads by GET, its default", async () => {
    requests.splice(0);
    const { data, error } = await urql().query(titles, {}).toPromise();
    expect(error).toBeUndefined();
    expect(data.posts.nodes[0].title).toBe("For every client");
    expect(requests.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("with persistedExchange sends the hash, and the document when that is unknown", async () => {
    for (const preferGetForPersistedQueries of [true, false]) {
      requests.splice(0);
      const exchanges = [persistedExchange({ preferGetForPersistedQueries }), fetchExchange];
      const { data, error } = await urql({ exchanges }).query(titles, {}).toPromise();
      expect(error).toBeUndefined();
      expect(data.posts.nodes[0].title).toBe("For every client");
      const method = preferGetForPersistedQueries ? "GET" : "POST";
      const sent = expect.stringContaining("query Titles");
      expect(requests).toEqual([
        { method, sent: expect.not.stringContaining("query Titles") },
        { method, sent },
      ]);
    }
  });

  test("uploads with the header that the error without it names", async () => {
    const upload = gql`
      mutation ($image: Upload!) {
        uploadProfilePhoto(image: $image) {
          profilePhoto {
            url
          }
        }
      }
    `;
    const image = new File([new Uint8Array(await makePicture("png"))], "photo.png", { type: "image/png" });
    const send = (headers: Record<string, string>) =>
      urql({ fetchOptions: { headers: { authorization: `Bearer ${maya.token}`, ...headers } } })
        .mutation(upload, { image })
        .toPromise();
    const refused = await send({});
    expect(refused.error).toBeInstanceOf(CombinedError);
    expect(refused.error?.message).toMatch(/apollo-require-preflight: true/);
    const { data, error } = await send({ "apollo-require-preflight": "true" });
    expect(error).toBeUndefined();
    expect(data.uploadProfilePhoto.profilePhoto.url).toMatch(/\/media\//);
  });
});

describe("Relay", () => {
  // A CommonJS module without named exports.
  const relay = (relayRuntime as unknown as { default?: typeof relayRuntime }).default ?? relayRuntime;

  /** What relay-compiler makes of `query NodeQuery($id: ID!) { node(id: $id) { id ... on Post { title } } }`. */
  const scalar = (name: string) => ({ alias: null, args: null, kind: "ScalarField", name, storageKey: null });
  const post = { kind: "InlineFragment", selections: [scalar("title")], type: "Post", abstractKey: null };
  const argumentDefinitions = [{ defaultValue: null, kind: "LocalArgument", name: "id" }];
  const node = (selections: object[]) => ({
    ...{ alias: null, args: [{ kind: "Variable", name: "id", variableName: "id" }], concreteType: null },
    ...{ kind: "LinkedField", name: "node", plural: false, selections, storageKey: null },
  });
  const request = {
    kind: "Request",
    fragment: {
      ...{ kind: "Fragment", name: "NodeQuery", type: "Query", argumentDefinitions },
      ...{ selections: [node([scalar("id"), post])], abstractKey: null, metadata: null },
    },
    operation: {
      ...{ kind: "Operation", name: "NodeQuery", argumentDefinitions },
      selections: [node([scalar("__typename"), scalar("id"), post])],
    },
    params: {
      ...{ id: null, cacheID: "node", name: "NodeQuery", operationKind: "query", metadata: {} },
      text: "query NodeQuery($id: ID!) { node(id: $id) { __typename id ... on Post { title } } }",
    },
  } as unknown as relayRuntime.ConcreteRequest;

  const open = (token?: string) => {
    const network = relay.Network.create(async ({ text }, variables) => {
      const headers = {
        "content-type": "application/json",
        ...(token && { authorization: `Bearer ${token}` }),
      };
      const body = JSON.stringify({ query: text, variables });
      return (await fetch(`${url}/graphql`, { method: "POST", headers, body })).json();
    });
    const store = new relay.Store(new relay.RecordSource());
    return { store, environment: new relay.Environment({ network, store }) };
  };

  test("refetches a post by node, and stores it under its id", async () => {
    const { store, environment } = open();
    const { id } = await blog.db.post.findFirstOrThrow();
    const data = await relay.fetchQuery(environment, request, { id }).toPromise();
    expect(data).toMatchObject({ node: { id, title: "For every client" } });
    expect(store.getSource().get(id)).toMatchObject({ __typename: "Post", title: "For every client" });
  });

  test("appends pages to one connection, deletes a record, and has one record of an account", async () => {
    const { store, environment } = open(maya.token);
    const { id } = await blog.db.post.findFirstOrThrow();
    for (const text of ["One", "Two", "Three"])
      await createComment(blog.db, { postId: id, userId: maya.id, text });
    const variables = { id, count: 2 };
    environment.retain(relay.createOperationDescriptor(relay.getRequest(postAndViewer), variables));
    const shown: any = await relay.fetchQuery(environment, postAndViewer, variables).toPromise();
    const selector = relay.getSingularSelector(comments, shown.post)!;
    const read = () => (environment.lookup(selector).data as any).comments;
    const texts = () => read().edges.flatMap(({ node }: any) => (node ? [node.text] : []));
    expect([texts(), read().pageInfo.hasNextPage]).toEqual([["One", "Two"], true]);
    const cursor = read().pageInfo.endCursor;
    await relay.fetchQuery(environment, moreComments, { ...variables, cursor }).toPromise();
    expect([texts(), read().pageInfo.hasNextPage]).toEqual([["One", "Two", "Three"], false]);
    const [, two] = read().edges;
    await new Promise<unknown>((onCompleted, onError) =>
      relay.commitMutation(environment, {
        ...{ mutation: deleteComment, variables: { id: two.node.id } },
        ...{ onCompleted, onError },
      }),
    );
    expect(texts()).toEqual(["One", "Three"]);
    expect(await blog.db.comment.count({ where: { postId: id } })).toBe(2);
    // `Viewer` shares the id of the profile, in which Relay keeps the name.
    expect(shown.viewer.profile).toEqual({ id: maya.id, username: maya.username });
    expect(store.getSource().get(maya.id)).toMatchObject({ username: maya.username });
  });
});
