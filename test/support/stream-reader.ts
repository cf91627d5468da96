/** Reads a streamed answer a frame at a time from a bare socket, so that a test decides when to read and when to leave. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class StreamReader {
  readonly socket: Socket;
  #text = '';
  #ended = false;
  #woken: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    // A reset is an end too; 'close' follows it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  static async open(url: string, request: string): Promise<StreamReader> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    const reader = new StreamReader(socket);
    socket.write(request);
    return reader;
  }

  /** Everything that arrived, HTTP's own chunk sizes included. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when `found` is true of what arrived; rejects if the connection ends first. */
  async sees(found: string | ((text: string) => boolean)): Promise<void> {
    const holds = typeof found === 'string' ? (text: string) => text.includes(found) : found;
    while (!holds(this.#text)) {
      if (this.#ended) throw new Error(`the connection ended after: ${this.#text.slice(-500)}`);
      await this.#change();
    }
  }

  /** Resolves when the other side closed the connection. */
  async closed(): Promise<void> {
    while (!this.#ended) await this.#change();
  }

  /** Disconnects, and returns when. */
  leave(): number {
    this.socket.destroy();
    return performance.now();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#woken.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#woken.splice(0)) resolve();
  }
}

/** How often `part` occurs in `text`. */
export function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
