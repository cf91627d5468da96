/** Goal: a head that two parsers could read differently is refused. Method: heads as tables, no sockets. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { checkHead } from './check-head.ts';

const HEADERS_MAX = 100;

function head(headers: readonly (readonly [string, string])[], more: Partial<IncomingMessage> = {}): IncomingMessage {
  return {
    url: '/v1/messages',
    httpVersion: '1.1',
    httpVersionMajor: 1,
    rawHeaders: headers.flat(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    ...more,
  } as IncomingMessage;
}

function codeOf(request: IncomingMessage): string | null {
  try {
    checkHead(request, HEADERS_MAX);
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    return error.code;
  }
}

const many = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, 'a'] as const);

const cases: [behaviour: string, request: IncomingMessage, code: string | null][] = [
  [
    'an ordinary head passes',
    head([
      ['Host', 'a'],
      ['Content-Length', '2'],
      ['Content-Type', 'application/json'],
    ]),
    null,
  ],
  [
    'chunked over HTTP/1.1 passes',
    head([
      ['Host', 'a'],
      ['Transfer-Encoding', 'chunked'],
    ]),
    null,
  ],
  ['chunked is case-insensitive', head([['Transfer-Encoding', 'Chunked']]), null],
  ['as many headers as allowed pass', head(many(HEADERS_MAX)), null],
  ['one header more is refused', head(many(HEADERS_MAX + 1)), 'headers_too_large'],
  ['an absolute URL as the target is refused', head([], { url: 'http://elsewhere/v1/messages' }), 'bad_request'],
  ['a target that is not a path is refused', head([], { url: '*' }), 'bad_request'],
  ['an empty target is refused', head([], { url: '' }), 'bad_request'],
  ['another coding in addition to chunked is refused', head([['Transfer-Encoding', 'gzip, chunked']]), 'bad_request'],
  ['a coding in quotes is refused', head([['Transfer-Encoding', '"chunked"']]), 'bad_request'],
  ['chunked over HTTP/1.0 is refused', head([['Transfer-Encoding', 'chunked']], { httpVersion: '1.0' }), 'bad_request'],
  ['the expectation 100-continue is accepted', head([['Expect', '100-Continue']]), null],
  ['another expectation is refused', head([['Expect', '200-ok']]), 'expectation_failed'],
  ...['Host', 'Content-Type', 'Content-Length', 'Content-Encoding', 'Transfer-Encoding', 'Expect'].map(
    (name): [string, IncomingMessage, string] => [
      `${name} sent twice is refused, in any case`,
      head([
        [name, 'chunked'],
        [name.toUpperCase(), 'chunked'],
      ]),
      'duplicate_header',
    ],
  ),
  [
    'other headers may be repeated',
    head([
      ['Accept', 'a'],
      ['Accept', 'b'],
    ]),
    null,
  ],
];

for (const [behaviour, request, code] of cases) test(behaviour, () => assert.equal(codeOf(request), code));
