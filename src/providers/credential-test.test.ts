/**
 * Goal: the credential of a request is found in any encoding, and nothing else is. Method: tables, and texts built to be slow.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { credentialTest } from './credential-test.ts';

const SECRET = 'sk-canary/of+a~provider';
const leaksCredential = credentialTest([`Bearer ${SECRET}`]);
const hex = (text: string, digits: number) =>
  [...text].map((each) => each.charCodeAt(0).toString(16).padStart(digits, '0'));
const inJson = (text: string) => JSON.stringify({ error: { message: text } });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a credential is found', () => {
  const rows: Readonly<Record<string, string>> = {
    'as it is': `bad key ${SECRET}.`,
    'in JSON': inJson(`bad key ${SECRET}`),
    'with one character escaped': inJson(SECRET).replace('-', '\\u002d'),
    'with a slash escaped': inJson(SECRET).replace('/', '\\/'),
    'with every character escaped, in either case': `"\\u${hex(SECRET, 4).join('\\u').toUpperCase().replaceAll('\\U', '\\u')}"`,
    'with escapes of other languages': `'\\x${hex(SECRET, 2).join('\\x')}'`,
    'in JSON within JSON': inJson(inJson(SECRET).replace('-', '\\u002d').replace('/', '\\/')),
    'in an address': `https://provider.example/?key=${encodeURIComponent(SECRET)}`,
    'in an address, every character escaped': `%${hex(SECRET, 2).join('%')}`,
    'in an address within an address': encodeURIComponent(`https://a.example/?key=${encodeURIComponent(SECRET)}`),
    'in an address in JSON, with escapes of both': inJson(`a/?k=${encodeURIComponent(SECRET)}`).replace('%', '\\u0025'),
    'after an escape': inJson(`\n${SECRET}\n`),
    'in base64': base64(SECRET),
    'in base64 for URLs': Buffer.from(SECRET).toString('base64url'),
    'as Basic authentication without a name': `Basic ${base64(`:${SECRET}`)}`,
    'as Basic authentication, whatever the name': ['a', 'ab', 'abc']
      .map((name) => base64(`${name}:${SECRET}`))
      .join(' '),
  };
  for (const [name, text] of Object.entries(rows)) {
    test(name, () => {
      assert.equal(leaksCredential(text), true);
      assert.equal(leaksCredential(Buffer.from(text)), true);
    });
  }
  test('as Basic authentication with a name of any length', () => {
    for (const name of ['', 'a', 'ab', 'abc', 'abcd'])
      assert.equal(leaksCredential(base64(`${name}:${SECRET}:x`)), true, name);
  });
});

describe('not an echo:', () => {
  const rows: Readonly<Record<string, string>> = {
    'a part of it': SECRET.slice(0, -1),
    'the scheme': '{"error":"Bearer"}',
    'text that merely contains escapes': inJson('100 % of "a\\b"\n – ☃ \u0007 %zz \\q'),
    'text that ends in the middle of an escape': '{"a":"\\u00',
    nothing: '',
  };
  for (const [name, text] of Object.entries(rows)) test(name, () => assert.equal(leaksCredential(text), false));
});

test('text shorter than the shortest form needs no test, and without a credential no text does', () => {
  for (const secret of ['sk-123', SECRET, 'a%2db-longer-than-that']) {
    const test = credentialTest([`Bearer ${secret}`]);
    assert.ok(test.lengthMin <= secret.length && test.lengthMin > 0);
    for (const form of [secret, base64(secret), base64(`user:${secret}`)])
      for (let length = 0; length < test.lengthMin; length += 1) assert.equal(test(form.slice(0, length)), false);
  }
  const none = credentialTest([]);
  assert.equal(none.lengthMin, Number.POSITIVE_INFINITY);
  assert.equal(none(SECRET), false);
});

test('every signing header counts, whatever its name, and so do both parts of Basic authentication', () => {
  const both = credentialTest(['Bearer one-secret-one', 'two-secret-two', `Basic ${base64('user:three-secret')}`]);
  for (const secret of ['one-secret-one', 'two-secret-two', 'three-secret', base64('user:three-secret')])
    assert.equal(both(`… ${secret} …`), true, secret);
  assert.equal(both('a user'), false);
});

test('a credential that itself contains an escape sequence is found', () => {
  const odd = 'k%2dey\\u002dwith-escapes';
  const finds = credentialTest([odd]);
  for (const text of [odd, inJson(odd), encodeURIComponent(odd), inJson(encodeURIComponent(odd))])
    assert.equal(finds(text), true, text);
});

test('without a credential nothing is an echo, and too short a value is not searched for', () => {
  assert.equal(credentialTest([])('anything'), false);
  assert.equal(credentialTest(['Bearer a'])('a man a plan'), false);
});

test('text that is too long to be searched, or nested too deeply, counts as an echo', () => {
  assert.equal(leaksCredential(Buffer.alloc(256 * 1024 + 1, 'a')), true);
  assert.equal(leaksCredential(Buffer.alloc(256 * 1024, 'a')), false);
  let text = 'a "quoted" word, and a word that is longer than it';
  for (let depth = 0; depth < 10; depth += 1) text = JSON.stringify(text);
  assert.equal(leaksCredential(text), true);
});

test('no text takes long, whatever it contains', () => {
  for (const pattern of ['\\', '%', '%25', '\\u005c', '\\u0025', SECRET.slice(0, -1), '%2', '\\u00']) {
    const bytes = Buffer.from(pattern.repeat(Math.floor((256 * 1024) / pattern.length)));
    const before = process.cpuUsage();
    leaksCredential(bytes);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 300_000, `${pattern} took ${user + system} µs`);
  }
});
