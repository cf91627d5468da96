/** Goal: a browser is recognised for the people who signed in with it, and for nobody else. Method: returned cookies, and altered ones. */
import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Sealer } from '../core/sealing/sealer.ts';
import { Devices } from './devices.ts';

/** AES-256-GCM with additional data, like the key ring. */
function sealUnder(key: Buffer): Sealer {
  return {
    seal(plain, about) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(about));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    },
  };
}

const devices = new Devices(sealUnder(Buffer.alloc(32, 1)));

test('a browser is recognised for a person who signed in with it, and keeps its id', () => {
  const first = devices.remember(null, 'ada@example.com');
  const id = devices.find(first, 'ada@example.com');
  assert.notEqual(id, null);
  assert.equal(devices.find(first, 'bob@example.com'), null);
  const both = devices.remember(first, 'bob@example.com');
  assert.equal(devices.find(both, 'ada@example.com'), id);
  assert.equal(devices.find(both, 'bob@example.com'), id);
  assert.notEqual(devices.find(devices.remember(null, 'ada@example.com'), 'ada@example.com'), id);
});

test('a shared browser is recognised for its last five people, and its cookie stays small', () => {
  let token: string | null = null;
  for (let person = 0; person < 50; person += 1) token = devices.remember(token, `${person}@example.com`);
  assert.ok(token !== null && token.length <= 400);
  const isKnown = (person: number) => devices.find(token, `${person}@example.com`) !== null;
  assert.deepEqual([44, 45, 46, 47, 48, 49].map(isKnown), [false, true, true, true, true, true]);
});

test('a foreign or altered cookie is not recognised, and a cookie does not reveal names', () => {
  const token = devices.remember(null, 'ada@example.com');
  const bytes = Buffer.from(token, 'base64url');
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  const elsewhere = new Devices(sealUnder(Buffer.alloc(32, 2))).remember(null, 'ada@example.com');
  for (const wrong of [null, '', 'x', token.slice(0, -4), bytes.toString('base64url'), elsewhere, 'A'.repeat(400)])
    assert.equal(devices.find(wrong, 'ada@example.com'), null);
  assert.doesNotMatch(bytes.toString('latin1'), /ada/);
});
