/** Addresses of providers as an operator writes them. Nothing is resolved or contacted here. */
import { BlockList, isIP } from 'node:net';

export interface Origin {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: string;
  /** Prepended to every path, without a slash at the end; often empty. */
  readonly basePath: string;
  /** Whether the address can only be in the operator's own network. Names are not resolved, so most are not. */
  readonly isPrivate: boolean;
}

/** Throws a `TypeError` whose message may be shown: it never contains a credential from the address. */
export function parseOrigin(text: string): Origin {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError('the origin must be an http or https address, like https://host:port');
  if (url.username !== '' || url.password !== '')
    throw new TypeError('the origin must not hold a user or a password; use the credential');
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    throw new TypeError('the origin must not have a query or a fragment');
  return { origin: url.origin, basePath: url.pathname.replace(/(?<!\/)\/+$/, ''), isPrivate: isPrivate(url.hostname) };
}

/**
 * Completes an address from a usual one: with `http://127.0.0.1:11434`, `10.0.0.5` becomes `http://10.0.0.5:11434`.
 * `0.0.0.0`, the address of a server that listens on every interface, becomes this machine, because it cannot be called.
 */
export function completeOrigin(text: string, usual: string): string {
  const defaults = new URL(usual);
  const trimmed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const full = hasScheme
    ? trimmed
    : `${defaults.protocol}//${trimmed.startsWith(':') ? defaults.hostname : ''}${trimmed}`;
  if (!URL.canParse(full)) return full;
  const url = new URL(full);
  const namesPort = /:\d+$/.test(trimmed.split('/')[0] ?? '');
  if (!hasScheme && !namesPort) url.port = defaults.port;
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = defaults.hostname;
  return url.href;
}

/**
 * Joins a base path and a path. An overlap between the end of one and the beginning of the other is written once: operators
 * give the base address of an OpenAI client (`…/v1`) as often as the bare origin.
 */
export function joinPaths(basePath: string, path: string): string {
  const base = basePath.split('/').slice(1);
  const rest = path.split('/').slice(1);
  let overlap = Math.min(base.length, rest.length);
  while (overlap > 0 && base.slice(-overlap).join('/') !== rest.slice(0, overlap).join('/')) overlap -= 1;
  return `/${[...base, ...rest.slice(overlap)].join('/')}`;
}

/** https://www.iana.org/assignments/iana-ipv4-special-registry and its counterpart for IPv6. */
const privateRanges = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv4');
privateRanges.addAddress('::1', 'ipv6');
privateRanges.addSubnet('fc00::', 7, 'ipv6');
privateRanges.addSubnet('fe80::', 10, 'ipv6');

function isPrivate(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(bare);
  if (family !== 0) return privateRanges.check(bare, family === 6 ? 'ipv6' : 'ipv4');
  // A name of one label is a machine or container in the local network; public names have a dot.
  return bare === 'localhost' || bare.endsWith('.localhost') || !bare.includes('.');
}
