import type { FastifyInstance } from "fastify";

const YEAR = 365 * 24 * 60 * 60 * 1000;

type Options = { securityContact?: string | undefined; publicUrl: string };

/** /.well-known/security.txt (RFC 9116), if a contact is configured. */
export function serveSecurityContact(app: FastifyInstance, { securityContact, publicUrl }: Options): void {
  if (securityContact === undefined) return;
  app.get("/.well-known/security.txt", async (_request, reply) => {
    const expires = new Date(Date.now() + YEAR).toISOString().slice(0, 10);
    reply.type("text/plain; charset=utf-8").header("cache-control", "public, max-age=86400");
    return [
      `Contact: ${securityContact}`,
      `Expires: ${expires}T00:00:00.000Z`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
      "Preferred-Languages: en",
      "",
    ].join("\n");
  });
}
