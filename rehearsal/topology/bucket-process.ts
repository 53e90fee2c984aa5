import { createBucketServer } from "../../server/testing/bucket-server.ts";

const [directory = "", port = ""] = process.argv.slice(-2);
const server = createBucketServer(directory, Number(port));
await server.run();
