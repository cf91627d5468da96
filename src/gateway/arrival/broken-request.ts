/**
 * Bytes that Node's parser refuses never become a request: they are answered on the bare socket, and the connection is
 * closed. Earlier calls on the connection are answered first, in order, because the first answer belongs to the first
 * request.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { newCallId, requestId } from '../../core/ids.ts';
import { defaultCallerDialect } from '../../dialects/index.ts';

/** Node keeps the current answer on its socket; there is no public API for it. */
type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** Answers the `clientError` events of a server. */
export class BrokenRequests {
  readonly #clock: Clock;
  readonly #waiting = new WeakSet<Socket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  answer(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // Everything after invalid bytes is invalid as well.
    if (this.#waiting.has(socket)) return;
    const answer = (socket as AnsweringSocket)._httpMessage ?? null;
    if (answer === null) return this.#refuse(error, socket);
    // The bytes belong to this request. If its head was refused, it already has its answer and gets no second one.
    if (!answer.req.complete) return answer.headersSent ? void socket.end() : this.#refuse(error, socket);
    this.#waiting.add(socket);
    answer.once('finish', () => {
      this.#waiting.delete(socket);
      // Node has already set the next answer when this is called.
      this.answer(error, socket);
    });
  }

  #refuse({ code: reported }: { code?: string }, socket: Socket): void {
    const [code, reason] = BROKEN_REQUESTS[reported ?? ''] ?? (['bad_request', 'Bad Request'] as const);
    const error = new GatewayError(code);
    const id = requestId(newCallId(this.#clock.now()));
    const body = defaultCallerDialect.writeError(error, id);
    socket.end(
      Buffer.concat([
        Buffer.from(
          `HTTP/1.1 ${error.status} ${reason}\r\ncontent-type: application/json\r\nx-content-type-options: nosniff\r\nx-request-id: ${id}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
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
