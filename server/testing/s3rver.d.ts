declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";
  import type { Readable } from "node:stream";

  type Options = { address: string; port: number; silent: boolean; directory: string; vhostBuckets: boolean };

  export default class S3rver {
    constructor(options: Options);
    store: {
      putBucket: (name: string) => Promise<unknown>;
      putContent: (path: string, content: Buffer | Readable) => Promise<[bytes: number, md5: string]>;
    };
    httpServer: Server;
    middleware: ((ctx: { path: string; app: S3rver }, next: () => Promise<unknown>) => Promise<unknown>)[];
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
