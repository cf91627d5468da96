/**
 * The caller's address. It is the socket's; `X-Forwarded-For` is trusted only as far as it was written by the operator's own
 * proxies, read from the right.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export type ClientAddress = (request: IncomingMessage) => string | null;

/** Which proxies are trusted: a number of hops, or addresses and CIDR ranges; null for none. */
export type TrustedProxies = number | readonly string[] | null;

/** Throws `RangeError` on what is neither an address nor a CIDR range. */
export function clientAddressBehind(trusted: TrustedProxies): ClientAddress {
  if (trusted === null) return socketAddress;
  const isTrusted = typeof trusted === 'number' ? (_address: string, hop: number) => hop < trusted : memberOf(trusted);
  return (request) => {
    let address = socketAddress(request);
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; address !== null && isTrusted(address, hop); hop += 1) {
      const previous = unmapped((hops.pop() ?? '').trim());
      if (isIP(previous) === 0) break;
      address = previous;
    }
    return address;
  };
}

/**
 * The scheme of a caller's request: `X-Forwarded-Proto` is trusted only from a trusted proxy; the gateway itself does not
 * terminate TLS.
 */
export function schemeBehind(trusted: TrustedProxies): (request: IncomingMessage) => 'http' | 'https' {
  if (trusted === null) return () => 'http';
  const isTrusted = typeof trusted === 'number' ? () => trusted > 0 : memberOf(trusted);
  return (request) => {
    const peer = socketAddress(request);
    const [scheme = ''] = String(request.headers['x-forwarded-proto'] ?? '').split(',');
    return peer !== null && isTrusted(peer) && scheme.trim().toLowerCase() === 'https' ? 'https' : 'http';
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

function memberOf(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (isIP(address) === 0) throw new RangeError(`not an address or a CIDR range: ${range}`);
    if (bits === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(bits), family(address));
  }
  return (address) => list.check(address, family(address));
}
