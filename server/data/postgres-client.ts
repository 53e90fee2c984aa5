import type { Duplex } from "node:stream";
import pg from "pg";

type Handler = (message: object) => void;

/** What pg's types omit of its client. */
type Internals = {
  connection: { stream: Duplex; end: () => void };
  connectionParameters: { application_name?: string };
  getStartupConf: () => object;
  saslSession: object | null | undefined;
  _handleAuthCleartextPassword: Handler;
  _handleAuthMD5Password: Handler;
  _handleAuthSASLFinal: Handler;
  _handleReadyForQuery: Handler;
};

export const connectionOf = (client: pg.Client) => (client as unknown as Internals).connection;

/** Milliseconds; pg waits for ever for a server that does not close. */
const GOODBYE = 2_000;

export const REQUIRE_SCRAM = "require_auth=scram-sha-256";

type Config = pg.ClientConfig & { keepsTimeZone?: boolean };

/**
 * The client of all connections. With libpq's `require_auth=scram-sha-256` in the URL it sends the password only by
 * SCRAM, and statements only to a server that has proved by SCRAM that it knows the password.
 */
export class Client extends pg.Client {
  constructor(config?: string | Config) {
    super(config);
    const {
      connectionString: url,
      application_name: name,
      keepsTimeZone,
    }: Config = typeof config === "string" ? { connectionString: config } : (config ?? {});
    const internals = this as unknown as Internals;
    // pg prefers that of the URL, but a restore finds a running blog by its own names.
    if (name) internals.connectionParameters.application_name = name;
    limitGoodbye(internals.connection);
    if (!keepsTimeZone) setUtc(internals);
    if (url?.split(/[?&]/).includes(REQUIRE_SCRAM)) requireScram(internals);
  }
}

/** Prisma's adapter sends and reads times without their offset. */
function setUtc(client: Internals): void {
  const startup = client.getStartupConf.bind(client);
  client.getStartupConf = () => ({ ...startup(), TimeZone: "UTC" });
}

function limitGoodbye(connection: Internals["connection"]): void {
  const end = connection.end.bind(connection);
  connection.end = () => {
    end();
    setTimeout(() => connection.stream.destroy(), GOODBYE).unref();
  };
}

export async function withClient<T>(
  config: string | Config,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(config);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
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
