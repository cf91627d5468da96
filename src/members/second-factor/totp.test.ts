/** Goal: codes match those of standard authenticators. Method: the vectors of RFC 6238 and RFC 4648. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32 } from './base32.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts';
import { matchingStep, totpCode, totpStep, totpUri } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// https://www.rfc-editor.org/rfc/rfc6238#appendix-B, of whose eight digits the last six are ours.
const vectors: readonly [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];
for (const [seconds, code] of vectors) {
  test(`at ${seconds} s the code is ${code}`, () => {
    assert.equal(totpCode(secret, totpStep(seconds * 1000)), code);
  });
}

test('a code is valid one step early and one step late, and no more', () => {
  const step = totpStep(1_234_567_890_000);
  for (const off of [-1, 0, 1])
    assert.equal(matchingStep(secret, totpCode(secret, step + off), 1_234_567_890_000), step + off);
  for (const off of [-2, 2]) assert.equal(matchingStep(secret, totpCode(secret, step + off), 1_234_567_890_000), null);
  for (const code of ['', '00592', '0059244', 'abcdef', '٠٠٥٩٢٤'])
    assert.equal(matchingStep(secret, code, 1_234_567_890_000), null);
});

test('base32 matches RFC 4648', () => {
  const words = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  assert.deepEqual(
    words.map((word) => base32(Buffer.from(word))),
    ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'],
  );
});

test('the URI for the authenticator names the issuer, and stays short for a long email address', () => {
  assert.equal(
    totpUri(secret, 'ada+x@example.com'),
    'otpauth://totp/Turnpike:ada%2Bx@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Turnpike&algorithm=SHA1&digits=6&period=30',
  );
  assert.ok(totpUri(secret, `${'é'.repeat(240)}@example.com`).length <= 213);
});

test('ten recovery codes of four groups are read in any case and spacing', () => {
  const { codes, digests } = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const [index, code] of codes.entries()) {
    assert.match(code, /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    assert.equal(recoveryDigest(` ${code.toLowerCase().replaceAll('-', ' ')} `), digests[index]);
  }
});
