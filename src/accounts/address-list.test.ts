/**
 * Goal: an address is in a list exactly when a range covers it, in every notation. Method: tables, and random addresses compared bit by
 * bit.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AddressList, parseAddressRange } from './address-list.ts';

const addresses: readonly [string, string, boolean][] = [
  ['203.0.113.9', '203.0.113.9', true],
  ['203.0.113.9', '203.0.113.10', false],
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.1.2.3/8', '10.9.9.9', true],
  ['192.168.4.0/22', '192.168.7.255', true],
  ['192.168.4.0/22', '192.168.8.0', false],
  ['0.0.0.0/0', '203.0.113.9', true],
  ['203.0.113.9/32', '203.0.113.9', true],
  ['203.0.113.9/32', '203.0.113.8', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '::ffff:0a01:0203', true],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '11.1.2.3', false],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
  ['::1', '::1', true],
  ['::1', '127.0.0.1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['::/0', '2001:db8::1', true],
  // The families are separate: a list of all IPv6 addresses contains no IPv4 address.
  ['::/0', '203.0.113.9', false],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['64:ff9b::192.0.2.33', '64:ff9b::c000:221', true],
  ['0.0.0.0/0', 'unknown', false],
  ['0.0.0.0/0', '', false],
  ['0.0.0.0/0', '10.0.0.1:443', false],
  ['::/0', '[::1]', false],
  ['0.0.0.0/0', '010.0.0.1', false],
];

for (const [range, address, isIn] of addresses) {
  test(`${JSON.stringify(address)} is ${isIn ? '' : 'not '}in ${range}`, () => {
    assert.equal(new AddressList([range]).includes(address), isIn);
  });
}

test('one matching range is enough, and an empty list matches no address', () => {
  assert.equal(new AddressList(['10.0.0.0/8', '::1']).includes('::1'), true);
  assert.equal(new AddressList([]).includes('::1'), false);
});

const notRanges = [
  '',
  '/8',
  'localhost',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/8 ',
  '10.0.0',
  '10.*',
  '2001:db8::/129',
  '::ffff:10.0.0.0/95',
  'fe80::1%eth0',
];

for (const text of notRanges) {
  test(`${JSON.stringify(text)} is not a range, and matches no address`, () => {
    assert.equal(parseAddressRange(text), null);
    assert.equal(new AddressList([text]).includes('10.0.0.1'), false);
  });
}

test('a range covers the addresses that share its prefix, in both families', () => {
  const bitsOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const write = (bytes: Uint8Array) =>
    bytes.length === 4 ? bytes.join('.') : (Buffer.from(bytes).toString('hex').match(/.{4}/g)?.join(':') ?? '');
  const pair = fc.constantFrom(4, 16).chain((length) => {
    const bytes = fc.uint8Array({ minLength: length, maxLength: length });
    return fc.record({ base: bytes, noise: bytes, same: fc.nat(length * 8), prefix: fc.nat(length * 8) });
  });
  fc.assert(
    fc.property(pair, ({ base, noise, same, prefix }) => {
      const bits = bitsOf(base).slice(0, same) + bitsOf(noise).slice(same);
      const address = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
      const isIn = bits.slice(0, prefix) === bitsOf(base).slice(0, prefix);
      assert.equal(new AddressList([`${write(base)}/${prefix}`]).includes(write(address)), isIn);
    }),
  );
});
