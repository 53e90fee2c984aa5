import type { LookupAddress } from "node:dns";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { lookup, toLookup } from "./host-addresses.ts";

/** A TCP connection to a host or known addresses that is destroyed when more than `bytes` arrive. TLS would read past it from the handle of a `Socket`. */
export class LimitedSocket extends Duplex {
  readonly #socket = new Socket();
  readonly #addresses: LookupAddress[] | undefined;
  #left: number;

  constructor(bytes: number, addresses?: LookupAddress[]) {
    super();
    this.#left = bytes;
    this.#addresses = addresses;
    this.#socket
      .on("data", (chunk) => this.#receive(chunk))
      .on("end", () => this.push(null))
      .on("timeout", () => this.emit("timeout"))
      .on("error", (error) => this.destroy(error))
      .on("close", () => this.destroy());
  }

  connect(port: number, host: string, onConnect: () => void): this {
    const known = this.#addresses && { host: "any name", lookup: toLookup(this.#addresses) };
    this.#socket.connect({ port, host, lookup, ...known }, onConnect);
    return this;
  }

  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  #receive(chunk: Buffer): void {
    this.#left -= chunk.length;
    if (this.#left < 0) this.destroy(new Error("the server sends too much"));
    else if (!this.push(chunk)) this.#socket.pause();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
