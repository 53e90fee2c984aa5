import pg from "pg";

/** `connecting` until it can be used. */
type Line = { client: pg.Client; connecting: Promise<void> | null; underWay: number };

/** As a pool, but its connections are shared: each has many statements under way at a time. */
export type Pipeline = {
  query: (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  end: () => Promise<void>;
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

/**
 * Statements are sent without awaiting the answers to those before them, which saves a good part of the calls to
 * the system on both sides. So one that waits, for a lock for instance, holds up those behind it: the connection
 * with the fewest is taken, and reads alone should come here.
 * @param settings statements that are run first on each connection
 * @param most connections, opened as they are needed
 */
export function openPipeline(options: pg.ClientConfig, settings: string | null, most: number): Pipeline {
  const lines = new Set<Line>();

  function open(): Line {
    const client = new pg.Client({ ...options, pipeline: true });
    const leave = () => void lines.delete(line);
    client.on("error", leave).on("end", leave);
    const connecting = client.connect().then(() => {
      line.connecting = null;
      if (settings) client.query(settings).catch(() => undefined);
    });
    connecting.catch(leave);
    const line: Line = { client, connecting, underWay: 0 };
    lines.add(line);
    return line;
  }

  /** The one with the fewest under way, a new one as long as each has some. */
  function choose(): Line {
    let least: Line | undefined;
    for (const line of lines) if (!least || line.underWay < least.underWay) least = line;
    return least && (least.underWay === 0 || lines.size >= most) ? least : open();
  }

  return {
    async query(config) {
      const line = choose();
      line.underWay++;
      try {
        if (line.connecting) await line.connecting;
        return await line.client.query(config);
      } finally {
        line.underWay--;
      }
    },
    end: async () => void (await Promise.all([...lines].map(({ client }) => client.end()))),
    get totalCount() {
      return lines.size;
    },
    get idleCount() {
      return [...lines].filter(({ underWay }) => underWay === 0).length;
    },
    get waitingCount() {
      return [...lines].reduce((sum, { underWay }) => sum + Math.max(0, underWay - 1), 0);
    },
  };
}
