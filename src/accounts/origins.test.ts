/** Goal: an origin is stored as browsers send it, and matches nothing else. Method: origins as people write them, and as pages have them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import { boundedOrigins, isOriginIn, ORIGINS_LENGTH_MAX, ORIGINS_MAX, parseOrigins, patternsOf } from './origins.ts';

for (const [written, stored] of [
  ['https://app.example.com', 'https://app.example.com'],
  ['HTTPS://App.Example.com/', 'https://app.example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['http://example.com:80/', 'http://example.com'],
  ['https://example.com:8443', 'https://example.com:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://*.Example.com', 'https://*.example.com'],
  ['https://*.preview.example.com:8443', 'https://*.preview.example.com:8443'],
  ['app://obsidian.md', 'app://obsidian.md'],
  ['chrome-extension://abcdefghijklmnopabcdefghijklmnop', 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
  ['tauri://localhost', 'tauri://localhost'],
])
  test(`${written} is stored as ${stored}`, () => {
    assert.deepEqual(parseOrigins([written ?? '']), [stored]);
    assert.deepEqual(parseOrigins([stored ?? '']), [stored]);
  });

for (const wrong of [
  '',
  '*',
  'null',
  'example.com',
  'https://',
  'https://example.com/path',
  'https://example.com//',
  'https://example.com?x',
  'https://example.com/?x',
  'https://example.com#x',
  'https://me@example.com',
  'https://example.com\\x',
  'https://*',
  'https://*.com',
  'https://*.127.0.0.1',
  'https://a.*.example.com',
  'https://*.*.example.com',
  'https://*example.com',
  'https://example.com:*',
  'https://example.com:99999',
  'https://exa mple.com',
  'file:///index.html',
  'file://host',
  'data://x',
  'javascript://x',
  'APP://obsidian.md',
  'app://a/b',
  `https://${'a'.repeat(200)}.example`,
])
  test(`"${wrong.slice(0, 40)}" is refused, and the error names its place`, () => {
    assert.throws(
      () => parseOrigins(['https://good.example', wrong]),
      (error) => error instanceof GatewayError && error.code === 'invalid_value' && error.param === 'origins[1]',
    );
  });

test('a list has bounds, and each origin once', () => {
  assert.deepEqual(parseOrigins(['https://a.example', 'https://A.example/']), ['https://a.example']);
  const many = Array.from({ length: ORIGINS_MAX + 1 }, (_, index) => `https://a${index}.example`);
  assert.throws(() => parseOrigins(many), /at most 20/);
  const long = Array.from({ length: 9 }, (_, index) => `https://${'a'.repeat(60)}.${'b'.repeat(50)}${index}.example`);
  assert.ok(long.join('').length > ORIGINS_LENGTH_MAX);
  assert.throws(() => parseOrigins(long), /at most 1000 characters/);
  assert.throws(() => parseOrigins([]), /null removes/);
  for (const stored of [many, long]) assert.deepEqual(boundedOrigins(stored), []);
  assert.deepEqual(boundedOrigins(['https://a.example']), ['https://a.example']);
  assert.equal(boundedOrigins(undefined), undefined);
});

test('an origin matches itself and a wildcard for its first label, and nothing else', () => {
  const origins = ['https://app.example.com', 'https://*.preview.example.com', 'http://localhost:3000'];
  const allowed = (origin: string) => isOriginIn(origins, origin);
  for (const origin of ['https://app.example.com', 'https://pr-7.preview.example.com', 'http://localhost:3000'])
    assert.equal(allowed(origin), true, origin);
  for (const origin of [
    'https://app.example.com:8443',
    'http://app.example.com',
    'https://APP.example.com',
    'https://example.com',
    'https://preview.example.com',
    'https://a.b.preview.example.com',
    'https://evilpreview.example.com',
    'https://pr-7.preview.example.com.evil.example',
    'http://pr-7.preview.example.com',
    'http://localhost',
    'null',
    '',
    '*',
    'https://*.preview.example.com.',
    'https://app.example.com, https://evil.example',
  ])
    assert.equal(allowed(origin), false, origin);
});

test('the work for an origin does not depend on its length', () => {
  assert.deepEqual(patternsOf(`https://${'a.'.repeat(100_000)}example`), []);
  assert.deepEqual(patternsOf('https://a.b.example'), ['https://a.b.example', 'https://*.b.example']);
});
