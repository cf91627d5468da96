/**
 * What the request line and the headers must satisfy before anything else looks at them. Node's
 * parser refuses most of what smugglers send; this refuses the rest: what two parsers on the way
 * could read differently.
 */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../core/errors.ts';

/** Headers that may come once, each with a bit of its own. */
const ONCE_ONLY = new Map([
  ['host', 1],
  ['content-type', 2],
  ['content-length', 4],
  ['content-encoding', 8],
  ['transfer-encoding', 16],
  ['expect', 32],
]);

/** Throws `GatewayError` 400, 417 or 431. Credentials are `authenticate`'s to judge. */
export function checkHead(request: IncomingMessage, headersMax: number): void {
  const { rawHeaders, url = '' } = request;
  if (rawHeaders.length > headersMax * 2) {
    throw new GatewayError('headers_too_large', { message: `The request has more than ${headersMax} headers.` });
  }
  if (request.httpVersionMajor !== 1) throw new GatewayError('bad_request', { message: 'Speak HTTP/1.1.' });
  if (url.charCodeAt(0) !== 0x2f) {
    throw new GatewayError('bad_request', { message: 'The request target must be a path.' });
  }
  refuseRepeatedHeaders(rawHeaders);
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersion !== '1.1')) {
    throw new GatewayError('bad_request', { message: 'The only transfer coding accepted is chunked, over HTTP/1.1.' });
  }
  const expectation = request.headers.expect;
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue')
    throw new GatewayError('expectation_failed');
}

function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    const bit = ONCE_ONLY.get(name) ?? 0;
    if ((seen & bit) !== 0)
      throw new GatewayError('duplicate_header', { message: `The header ${name} was sent twice.` });
    seen |= bit;
  }
}
