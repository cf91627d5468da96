/**
 * Who is calling. The socket says so; `X-Forwarded-For` is believed only as far as it was written
 * by proxies the operator named, read from the right.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export type ClientAddress = (request: IncomingMessage) => string | null;

/** `trusted`: addresses and CIDR ranges of proxies; empty trusts none. Throws on what is neither. */
export function clientAddressBehind(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return socketAddress;
  const proxies = blockListOf(trusted);
  return (request) => {
    let address = socketAddress(request);
    const forwarded = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',');
    while (address !== null && proxies.check(address, family(address))) {
      const hop = unmapped((hops.pop() ?? '').trim());
      if (isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}

function socketAddress(request: IncomingMessage): string | null {
  const address = request.socket.remoteAddress;
  return address === undefined ? null : unmapped(address);
}

/** `::ffff:10.0.0.1` is `10.0.0.1`. */
function unmapped(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (isIP(address) === 0) throw new RangeError(`not an address or a CIDR range: ${range}`);
    if (bits === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(bits), family(address));
  }
  return list;
}
