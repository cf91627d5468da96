/**
 * Checks the request line and the headers before anything else uses them. Node's parser refuses most request smuggling; this
 * refuses the rest: whatever two parsers on the way could read differently.
 */
import type { IncomingMessage } from 'node:http';
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';

const ONCE_ONLY = ['host', 'expect', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding'];
/** By length; the lengths all differ, so most other headers are excluded by length alone. */
const ONCE_ONLY_BY_LENGTH: readonly (string | undefined)[] = byLength(ONCE_ONLY);

/** Throws `GatewayError` 400, 417 or 431. Credentials are checked by `authenticate`. */
export function checkHead(request: IncomingMessage, headersMax: number): void {
  const { rawHeaders, url = '' } = request;
  if (rawHeaders.length > headersMax * 2) {
    throw new GatewayError('headers_too_large', { message: `The request has more than ${headersMax} headers.` });
  }
  if (request.httpVersionMajor !== 1) throw new GatewayError('bad_request', { message: 'Use HTTP/1.1.' });
  if (url.charCodeAt(0) !== 0x2f) {
    throw new GatewayError('bad_request', { message: 'The request target must be a path.' });
  }
  refuseRepeatedHeaders(rawHeaders);
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersion !== '1.1')) {
    throw new GatewayError('bad_request', { message: 'The only accepted transfer coding is chunked, over HTTP/1.1.' });
  }
  const expectation = request.headers.expect;
  if (expectation !== undefined && expectation.toLowerCase() !== '100-continue')
    throw new GatewayError('expectation_failed');
}

function refuseRepeatedHeaders(rawHeaders: readonly string[]): void {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    const name = ONCE_ONLY_BY_LENGTH[sent.length];
    if (name === undefined || sent.toLowerCase() !== name) continue;
    if (seen.includes(name))
      throw new GatewayError('duplicate_header', { message: `The header ${name} was sent twice.` });
    seen.push(name);
  }
}

function byLength(names: readonly string[]): (string | undefined)[] {
  assert(new Set(names.map((name) => name.length)).size === names.length, 'one name a length');
  const longest = Math.max(...names.map((name) => name.length));
  return Array.from({ length: longest + 1 }, (_, length) => names.find((name) => name.length === length));
}
