import { fastifyApolloHandler } from "@as-integrations/fastify";
import type { ApolloServer } from "@apollo/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import processRequest from "graphql-upload/processRequest.mjs";
import type { Ctx } from "../context.ts";
import { BODY_BYTES, PICTURE_BYTES } from "../limits.ts";
import { createGraphQLContext, type GraphQLContext } from "./context.ts";

type Options = { apollo: ApolloServer<GraphQLContext>; createCtx: (request: FastifyRequest) => Promise<Ctx> };

/** /graphql: JSON by POST, queries by GET, uploads by the multipart request specification. */
export async function graphqlRoutes(app: FastifyInstance, { apollo, createCtx }: Options): Promise<void> {
  const limits = { maxFileSize: PICTURE_BYTES, maxFiles: 1, maxFieldSize: BODY_BYTES };
  app.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null));
  const receiveUploads = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.headers["content-type"]?.startsWith("multipart/form-data"))
      request.body = await processRequest(request.raw, reply.raw, limits);
  };
  app.route({
    method: ["GET", "POST"],
    url: "/graphql",
    bodyLimit: BODY_BYTES,
    preHandler: receiveUploads,
    handler: fastifyApolloHandler(apollo, {
      context: async (request) => createGraphQLContext(await createCtx(request)),
    }),
  });
}
