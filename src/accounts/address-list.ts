/** Lists of IPv4 and IPv6 addresses and CIDR ranges. An entry or address that cannot be parsed matches nothing. */
import { isIP } from 'node:net';
import { ADDRESS_LENGTH_MAX } from './list-bounds.ts';

export class AddressList {
  readonly #ranges: readonly AddressRange[];

  /** An entry that is not a range matches nothing; validate entries with `parseAddressRange` when a list is set. */
  constructor(texts: readonly string[]) {
    this.#ranges = texts.map(parseAddressRange).filter((range) => range !== null);
  }

  /** Whether an address is in the list; false if it cannot be parsed. `::ffff:10.0.0.1` is `10.0.0.1`. */
  includes(address: string): boolean {
    // The zone of a link-local address (`fe80::1%eth0`) names a network interface of this machine, not the caller.
    const zone = address.indexOf('%');
    const parsed = parseAddress(zone === -1 ? address : address.slice(0, zone));
    if (parsed === null) return false;
    return this.#ranges.some(
      ({ first, family, freeBits }) => family === parsed.family && (first ^ parsed.value) >> freeBits === 0n,
    );
  }
}

/** All addresses of one family that differ from `first` in the last `freeBits` bits only. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly freeBits: bigint;
}

/** Null if the text is neither an address nor a CIDR range. Host bits are ignored. */
export function parseAddressRange(text: string): AddressRange | null {
  const match = text.length > ADDRESS_LENGTH_MAX ? null : RANGE.exec(text);
  const address = match === null ? null : parseAddress(match[1] as string);
  if (match === null || address === null) return null;
  const bits = ADDRESS_BITS[address.family];
  if (match[2] === undefined) return { family: address.family, first: address.value, freeBits: 0n };
  // The prefix of a range written in IPv6's form counts the 96 bits before the IPv4 address.
  const prefix = Number(match[2]) - (address.isMapped ? 96 : 0);
  if (prefix < 0 || prefix > bits) return null;
  return { family: address.family, first: address.value, freeBits: BigInt(bits - prefix) };
}

/** Whether `other` contains every address of `range`; false if either cannot be parsed. */
export function isRangeWithin(range: string, other: string): boolean {
  const [inner, outer] = [parseAddressRange(range), parseAddressRange(other)];
  if (inner === null || outer === null || inner.family !== outer.family) return false;
  return inner.freeBits <= outer.freeBits && (inner.first ^ outer.first) >> outer.freeBits === 0n;
}

const RANGE = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const ADDRESS_BITS = { 4: 32, 6: 128 } as const;
/** `::ffff:0:0/96` holds IPv4 addresses. https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2 */
const MAPPED = 0xffffn;

interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly isMapped: boolean;
}

function parseAddress(text: string): Address | null {
  const family = isIP(text);
  if (family === 0) return null;
  if (family === 4) return { family: 4, value: BigInt(ipv4Value(text)), isMapped: false };
  const value = ipv6Value(text);
  if (value >> 32n === MAPPED) return { family: 4, value: BigInt.asUintN(32, value), isMapped: true };
  return { family: 6, value, isMapped: false };
}

function ipv4Value(text: string): number {
  return text.split('.').reduce((value, part) => value * 256 + Number(part), 0);
}

function ipv6Value(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const groups = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** The 16-bit groups; an IPv4 address at the end counts as two. */
function groupsOf(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const value = ipv4Value(group);
    return [Math.floor(value / 0x10000), value % 0x10000];
  });
}
