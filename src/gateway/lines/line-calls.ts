/**
 * Makes the calls for lines of batches: each is a request to the gateway itself, over a connection within the process. So a line takes all the steps
 * of a call, and nothing in them has to know how it came; only its key is the batch's, and its answer is stored under its name.
 */
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as makeRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Line } from './line.ts';
import { LineSocket } from './line-socket.ts';

/** Serves the request of a line; see `lineHandler`. */
export type ServeLine = (line: Line, request: IncomingMessage, response: ServerResponse) => void;

export interface LineRequest {
  /** The path of a call, `/v1/chat/completions`. */
  readonly path: string;
  /** A JSON object, sent as it is. */
  readonly body: Buffer;
}

export interface LineAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Written in one turn of the event loop, as a network would deliver it: what is given at once is read at once. */
const TURN_BYTES = 64 * 1024;

export class LineCalls {
  readonly #server: Server;

  constructor(serve: ServeLine) {
    // It listens nowhere: what it serves is handed to it.
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
      const { line } = request.socket as unknown as LineSocket;
      if (line === null) response.destroy();
      else serve(line, request, response);
    });
  }

  /** Resolves with the answer, whatever its status. Rejects if it breaks off: nothing is known then of what the call has come to. */
  call(line: Line, { path, body }: LineRequest): Promise<LineAnswer> {
    const { asks, serves } = LineSocket.pair(line);
    return new Promise((resolve, reject) => {
      const asked = makeRequest({
        method: 'POST',
        path,
        // Only what says how the body is written: a batch keeps nothing of its caller's headers.
        headers: { host: 'batch', 'content-type': 'application/json', 'content-length': body.length },
        createConnection: () => asks,
      });
      asked.on('error', reject);
      asked.on('response', (answer) => {
        const parts = new AnswerParts(Number(answer.headers['content-length'] ?? 0));
        answer.on('data', (part: Buffer) => parts.add(part));
        answer.on('error', reject);
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parts.whole() });
          asks.destroy();
        });
      });
      this.#server.emit('connection', serves);
      void send(asked, body);
    });
  }
}

/** Puts an answer together while it comes, so that a large one is not copied in one turn of the event loop. */
class AnswerParts {
  readonly #announced: Buffer;
  #bytes = 0;
  /** Beyond what was announced; every answer of a call says its length, others are small. */
  readonly #others: Buffer[] = [];

  /** `length`: as announced; 0 if it was not. */
  constructor(length: number) {
    this.#announced = Buffer.allocUnsafeSlow(length);
  }

  add(part: Buffer): void {
    const copied = part.copy(this.#announced, this.#bytes);
    this.#bytes += copied;
    if (copied < part.length) this.#others.push(part.subarray(copied));
  }

  whole(): Buffer {
    const first = this.#announced.subarray(0, this.#bytes);
    return this.#others.length === 0 ? first : Buffer.concat([first, ...this.#others]);
  }
}

/** No faster than it is taken, in turns of the event loop. An error ends the request, which reports it. */
async function send(asked: ClientRequest, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length && !asked.destroyed; at += TURN_BYTES) {
    await new Promise<void>((resolve) => asked.write(body.subarray(at, at + TURN_BYTES), () => resolve()));
    await nextTurn();
  }
  if (!asked.destroyed) asked.end();
}
