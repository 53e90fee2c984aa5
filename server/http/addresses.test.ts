import { expect, test } from "vitest";
import { kindOf, type AddressKind } from "./addresses.ts";

const urls: Record<AddressKind, string[]> = {
  api: ["/api", "/api?x", "/api/", "/api/posts?page=2"],
  graphql: ["/graphql", "/graphql?query={a}", "/graphql/nothing"],
  asset: ["/assets/", "/assets/index.js"],
  media: ["/media/", "/media/1/960.webp"],
  monitoring: ["/health", "/ready?now", "/metrics"],
  // Pages take a permit: a path below /health must not pass as monitoring.
  page: [
    "/",
    "/posts",
    "/api-client",
    "/graphqls",
    "/assets",
    "/media?x",
    "/health/",
    "/metrics/x",
    "/x/api",
  ],
};

test.for(Object.entries(urls))(
  "the kind %s is recognised by the first segment of the path",
  ([kind, all]) => {
    expect(all.map(kindOf)).toEqual(all.map(() => kind));
  },
);
