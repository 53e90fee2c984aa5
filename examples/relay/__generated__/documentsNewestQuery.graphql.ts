/**
 * @generated SignedSource<<577ef0baa0bff34a11fc53e6a71164d4>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type documentsNewestQuery$variables = Record<PropertyKey, never>;
export type documentsNewestQuery$data = {
  readonly posts: {
    readonly nodes: ReadonlyArray<{
      readonly id: string;
    }>;
  };
};
export type documentsNewestQuery = {
  response: documentsNewestQuery$data;
  variables: documentsNewestQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Literal",
        "name": "first",
        "value": 1
      }
    ],
    "concreteType": "PostConnection",
    "kind": "LinkedField",
    "name": "posts",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Post",
        "kind": "LinkedField",
        "name": "nodes",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": "posts(first:1)"
  }
];
return {
  "fragment": {
    "argumentDefinitions": [],
    "kind": "Fragment",
    "metadata": null,
    "name": "documentsNewestQuery",
    "selections": (v0/*:: as any*/),
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": [],
    "kind": "Operation",
    "name": "documentsNewestQuery",
    "selections": (v0/*:: as any*/)
  },
  "params": {
    "cacheID": "7e0891b6185e0129a9912a0606698b3a",
    "id": null,
    "metadata": {},
    "name": "documentsNewestQuery",
    "operationKind": "query",
    "text": "query documentsNewestQuery {\n  posts(first: 1) {\n    nodes {\n      id\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "025eac1799c46ee5f97c7ed2082f0949";

export default node;
