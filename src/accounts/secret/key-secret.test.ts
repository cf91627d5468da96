/** Goal: a secret is random and checkable without a lookup, and its digest is the standard HMAC. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';
import { Secret } from '../../core/secret.ts';
import { digestOf, labelOf, newSecret, SECRET_PATTERN, secretShape } from './key-secret.ts';
import { Pepper } from './pepper.ts';

const PEPPER = '0123456789abcdef'.repeat(4);

test('new secrets have the documented shape and are all different', () => {
  const secrets = new Set(Array.from({ length: 500 }, () => newSecret().reveal()));
  assert.equal(secrets.size, 500);
  for (const secret of secrets) {
    assert.match(secret, /^sk-tp-[0-9A-Za-z]{49}$/);
    assert.match(`key=${secret};`, SECRET_PATTERN);
    assert.ok(secretShape(secret), secret);
  }
});

test('the last six characters are the CRC-32 of the 43 before, in base 62', () => {
  const secret = newSecret().reveal();
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let checksum = 0;
  for (const digit of secret.slice(-6)) checksum = checksum * 62 + alphabet.indexOf(digit);
  assert.equal(checksum, crc32(secret.slice(6, 49)));
});

test('a secret with one character changed, added or removed is malformed', () => {
  const secret = newSecret().reveal();
  for (let index = 0; index < secret.length; index += 1) {
    const other = secret[index] === 'x' ? 'y' : 'x';
    assert.equal(secretShape(secret.slice(0, index) + other + secret.slice(index + 1)), false, `changed at ${index}`);
    assert.equal(secretShape(secret.slice(0, index) + secret.slice(index + 1)), false, `cut at ${index}`);
  }
  assert.equal(secretShape(`${secret}x`), false);
});

test('other texts are malformed', () => {
  const foreign = [
    '',
    'sk-tp-',
    'sk-proj-abcdefghijklmnop',
    `sk-tp-${'é'.repeat(49)}`,
    `sk-tp-${'-'.repeat(49)}`,
    `sk-tp-${'中'.repeat(49)}`,
  ];
  for (const text of foreign) assert.equal(secretShape(text), false, text);
});

test('the label shows the prefix and the last four characters', () => {
  const secret = newSecret();
  assert.equal(labelOf(secret), `sk-tp-…${secret.reveal().slice(-4)}`);
});

test('the digest is HMAC-SHA-256 under the pepper, regardless of earlier digests', () => {
  const pepper = new Pepper(new Secret(PEPPER));
  const texts = [newSecret().reveal(), 'short', '', 'x'.repeat(64), newSecret().reveal()];
  for (const text of texts) {
    const expected = createHmac('sha256', Buffer.from(PEPPER, 'hex')).update(text).digest();
    assert.deepEqual(digestOf(new Secret(text), pepper), expected);
  }
  assert.throws(() => pepper.digest('x'.repeat(65)), RangeError);
});

test('a pepper’s id is stable, differs from another’s and does not reveal the pepper', () => {
  const pepper = new Pepper(new Secret(PEPPER));
  assert.match(pepper.id, /^[0-9a-f]{16}$/);
  assert.equal(new Pepper(new Secret(PEPPER)).id, pepper.id);
  assert.notEqual(new Pepper(new Secret(PEPPER.replace('0', '1'))).id, pepper.id);
  assert.ok(!inspect(pepper, { depth: 9, showHidden: true }).includes('0123456789abcdef'));
  assert.throws(() => new Pepper(new Secret('abcd')), RangeError);
});
