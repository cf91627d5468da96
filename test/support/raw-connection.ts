/** A caller that writes bytes to the gateway's socket and reads what comes back, without an HTTP client's rules. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type HttpMessage, HttpReader } from './http-reader.ts';

export class RawConnection {
  readonly socket: Socket;
  readonly answers: HttpMessage[] = [];
  readonly #reader = new HttpReader();
  #isClosed = false;
  #woken: (() => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.answers.push(...this.#reader.feed(bytes));
      this.#wake();
    });
    // A reset is a result too; 'close' follows it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const last = this.#reader.finish();
      if (last !== null) this.answers.push(last);
      this.#isClosed = true;
      this.#wake();
    });
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Received bytes that are not a whole answer. */
  get leftover(): Buffer {
    return this.#reader.leftover;
  }

  /** Resolves when the bytes have left, or the connection is gone. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** The n-th answer, counted from 1; null when the connection closes before it. */
  async answer(number = 1): Promise<HttpMessage | null> {
    while (this.answers.length < number && !this.#isClosed) await this.#change();
    return this.answers[number - 1] ?? null;
  }

  /** Resolves when the other side has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await this.#change();
  }

  close(): void {
    this.socket.destroy();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#woken.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#woken.splice(0)) resolve();
  }
}

export function statusOf(answer: HttpMessage | null): number | null {
  return answer === null ? null : Number(answer.startLine.split(' ')[1]);
}
