/**
 * Refuses a WebSocket, at any path, before anything else is checked: no key, no limits, no record. Codex tries one at `/responses` if it
 * takes this gateway for OpenAI. After a 426 it uses HTTP at once; after a 403, 404 or 405 it tries six more times, for 6 s; after a 400 it
 * gives up (measured with Codex 0.169).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { newCallId, requestId } from '../../core/ids.ts';
import type { AnyCallerDialect } from '../../dialects/index.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export interface WebSocketPorts {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'errorAnswered'>;
}

/** Other upgrades (`h2c`) are optional for the server, which then answers in HTTP/1.1. */
export function asksForWebSocket(request: IncomingMessage): boolean {
  // Calls are POST: their headers are not read for this.
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase().includes('websocket') === true;
}

/** Answers with 426 and closes the connection: https://www.rfc-editor.org/rfc/rfc9110#status.426 */
export function refuseWebSocket(
  { clock, metrics }: WebSocketPorts,
  dialect: AnyCallerDialect,
  response: ServerResponse,
): void {
  const error = new GatewayError('websocket_not_supported');
  const id = requestId(newCallId(clock.now()));
  const body = dialect.writeError(error, id);
  metrics.errorAnswered('none', error.code);
  response.writeHead(error.status, {
    [dialect.requestIdHeader]: id,
    upgrade: 'HTTP/1.1',
    connection: 'upgrade, close',
    'content-type': 'application/json',
    'content-length': body.length,
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
