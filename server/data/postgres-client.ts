import type { Duplex } from "node:stream";
import pg from "pg";

type Handler = (message: object) => void;

/** What pg's types omit of its client. */
type Internals = {
  connection: { stream: Duplex };
  saslSession: object | null | undefined;
  _handleAuthCleartextPassword: Handler;
  _handleAuthMD5Password: Handler;
  _handleAuthSASLFinal: Handler;
  _handleReadyForQuery: Handler;
};

export const REQUIRE_SCRAM = "require_auth=scram-sha-256";

/**
 * The client of all connections. With libpq's `require_auth=scram-sha-256` in the URL it sends the password only by
 * SCRAM, and statements only to a server that has proved by SCRAM that it knows the password.
 */
export class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const url = typeof config === "string" ? config : config?.connectionString;
    if (url?.split(/[?&]/).includes(REQUIRE_SCRAM)) requireScram(this as unknown as Internals);
  }
}

function requireScram(client: Internals): void {
  const { _handleAuthSASLFinal: verify, _handleReadyForQuery: begin } = client;
  let isVerified = false;
  const refuse = () =>
    void client.connection.stream.destroy(new Error("the server does not authenticate by SCRAM"));
  client._handleAuthCleartextPassword = refuse;
  client._handleAuthMD5Password = refuse;
  client._handleAuthSASLFinal = (message) => {
    verify.call(client, message);
    // pg keeps the session of a server with a wrong signature.
    isVerified = client.saslSession === null;
  };
  client._handleReadyForQuery = (message) => {
    if (isVerified) begin.call(client, message);
    else refuse();
  };
}
