/**
 * Which IP addresses are on the public internet. Everything else is refused to origins that members of accounts may set: private,
 * loopback, link-local, metadata services, and all special ranges.
 *
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
import { BlockList, isIP } from 'node:net';

/** An address in one spelling; IPv4 within IPv6 (mapped, or through the well-known prefix of NAT64) is the IPv4 address. */
export interface PlainAddress {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

/** Null for text that is no address, and for one that is only valid on an interface (`fe80::1%eth0`). */
export function plainAddress(text: string): PlainAddress | null {
  const family = isIP(text);
  if (family === 4) return { text, family: 'ipv4' };
  if (family !== 6 || text.includes('%')) return null;
  const embedded = WITH_IPV4.check(text, 'ipv6') ? lastFourBytes(text) : null;
  return embedded === null ? { text, family: 'ipv6' } : { text: embedded, family: 'ipv4' };
}

/** Whether the address is one that only public services have. */
export function isPublic({ text, family }: PlainAddress): boolean {
  if (family === 'ipv4') return !special.check(text, family);
  return globalUnicast.check(text, family) && !special.check(text, family);
}

function ranges(...subnets: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}

/** Mapped addresses, and NAT64: https://www.rfc-editor.org/rfc/rfc6052#section-2.1 */
const WITH_IPV4 = ranges(['::ffff:0:0', 96], ['64:ff9b::', 96]);

/** The only IPv6 addresses that are handed out for public services: https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ranges(['2000::', 3]);

const special = ranges(
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // https://learn.microsoft.com/en-us/azure/virtual-network/what-is-ip-address-168-63-129-16
  ['168.63.129.16', 32],
  // The metadata services of the clouds are among them: 169.254.169.254.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, and the broadcast address.
  ['224.0.0.0', 3],
  // Teredo, benchmarks, ORCHID and other protocols.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4, which may carry any IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
);

/** Of an IPv6 address, as IPv4. */
function lastFourBytes(text: string): string {
  // The parser of URLs writes every spelling the same way, without dots.
  const [head = '', tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split('::');
  const groups = [...groupsOf(head), ...groupsOf(tail ?? '')];
  // Two colons are as many zeros as are left out.
  const [high, low] = tail === '' ? [0, 0] : [groups.at(-2) ?? 0, groups.at(-1) ?? 0];
  const second = tail !== undefined && groupsOf(tail).length === 1 ? 0 : high;
  return [second >> 8, second & 255, low >> 8, low & 255].join('.');
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
