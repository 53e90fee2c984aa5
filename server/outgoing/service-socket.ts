import { Socket } from "node:net";
import { lookup } from "./host-addresses.ts";

/** For clients that connect by a port and a host, or by the path of a Unix socket. */
export class ServiceSocket extends Socket {
  override connect(...args: unknown[]): this {
    const [port, host] = args;
    if (typeof host === "string") return super.connect({ port: Number(port), host, lookup });
    return super.connect(...(args as [string]));
  }
}
