declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";

  type Options = { address: string; port: number; silent: boolean; directory: string; vhostBuckets: boolean };

  export default class S3rver {
    constructor(options: Options);
    store: { putBucket: (name: string) => Promise<unknown> };
    httpServer: Server;
    middleware: ((ctx: { path: string; app: S3rver }, next: () => Promise<unknown>) => Promise<unknown>)[];
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
