/** Groups IP addresses for rate limits: addresses of one network count as one client. */
import { isIPv6 } from 'node:net';

/** An IPv4 address itself; for an IPv6 address its /64, which usually belongs to one customer. */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1);
  if (!isIPv6(bare)) return bare;
  const tail = bare.slice(bare.lastIndexOf(':') + 1);
  const groups = expand(tail.includes('.') ? bare.replace(tail, hexadecimal(tail)) : bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return dotted(groups.slice(6));
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] {
  const [head = '', rest = null] = address.split('::');
  const before = readGroups(head);
  const after = rest === null ? [] : readGroups(rest);
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function readGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** `10.0.0.1` as two groups, `a00:1`. */
function hexadecimal(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function dotted(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >>> 8, group & 255]).join('.');
}
