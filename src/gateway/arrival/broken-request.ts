/**
 * What Node's parser refuses never becomes a request: it is answered on the bare socket, and the connection is closed. Calls
 * that were made on it before are answered first, in their order: the first answer belongs to the first request.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { newCallId, requestId } from '../../core/ids.ts';
import { defaultCallerDialect } from '../../dialects/index.ts';

/** Node keeps the answer whose turn it is on its socket; there is no public name for it. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** Answers what a server's `clientError` reports. */
export class BrokenRequests {
  readonly #clock: Clock;
  readonly #waiting = new WeakSet<Socket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  answer(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // Whatever else is sent after broken bytes is broken as well.
    if (this.#waiting.has(socket)) return;
    const answer = (socket as AnsweringSocket)._httpMessage ?? null;
    if (answer === null) return this.#refuse(error, socket);
    // The bytes are part of this very request. One whose head was refused has its answer already, and gets no second one.
    if (!answer.req.complete) return answer.headersSent ? void socket.end() : this.#refuse(error, socket);
    this.#waiting.add(socket);
    answer.once('finish', () => {
      this.#waiting.delete(socket);
      // Node has put the next answer in its place before this is called.
      this.answer(error, socket);
    });
  }

  #refuse({ code: reported }: { code?: string }, socket: Socket): void {
    const [code, reason] = BROKEN_REQUESTS[reported ?? ''] ?? (['bad_request', 'Bad Request'] as const);
    const told = new GatewayError(code);
    const id = requestId(newCallId(this.#clock.now()));
    const body = defaultCallerDialect.writeError(told, id);
    socket.end(
      Buffer.concat([
        Buffer.from(
          `HTTP/1.1 ${told.status} ${reason}\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\nx-request-id: ${id}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
        ),
        body,
      ]),
    );
  }
}

const BROKEN_REQUESTS: Readonly<Record<string, readonly ['headers_too_large' | 'request_timeout', string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Request Timeout'],
};
