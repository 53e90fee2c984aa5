#!/bin/sh
# REST and GraphQL from a shell. A read needs neither a token nor a header.
set -eu
BLOG_URL=${BLOG_URL:-http://localhost:4000}
curl -fsS "$BLOG_URL/api/posts?pageNumber=1"
echo
curl -fsS -G "$BLOG_URL/graphql" --data-urlencode 'query={ posts(first: 1) { nodes { title } } }'
curl -fsS "$BLOG_URL/graphql" -H 'content-type: application/json' -d '{"query":"{ postsCount }"}'
