/** Hosts that are reached without a proxy: loopback, a cloud's metadata services, and those in a `NO_PROXY` list. No name is resolved. */
import { BlockList, isIP } from 'node:net';

export interface DirectHosts {
  has(origin: URL): boolean;
}

interface Rule {
  /** Null for every port. */
  readonly port: string | null;
  matches(host: string): boolean;
}

/**
 * Reads entries separated by commas or blanks: `*` for every host; `example.com`, `.example.com` or `*.example.com` for it
 * and all below it; an address; a range like `10.0.0.0/8`. All except the range may end in `:port` to match only that port;
 * an IPv6 address is then in brackets. Throws a `TypeError` for an invalid range.
 */
export function parseDirectHosts(text: string): DirectHosts {
  const rules = text
    .split(/[\s,]/)
    .filter((entry) => entry !== '')
    .map((entry) => readRule(entry.toLowerCase()));
  return {
    has(origin) {
      const host = bareHost(origin.hostname);
      if (isLoopback(host) || isMetadata(host)) return true;
      const port = origin.port === '' ? (origin.protocol === 'https:' ? '443' : '80') : origin.port;
      return rules.some((rule) => (rule.port === null || rule.port === port) && rule.matches(host));
    },
  };
}

function readRule(entry: string): Rule {
  if (entry === '*') return { port: null, matches: () => true };
  if (entry.includes('/')) return { port: null, matches: rangeTest(entry) };
  const { host, port } = splitPort(entry);
  if (isIP(host) !== 0) {
    const same = new BlockList();
    same.addAddress(host, familyOf(host));
    return { port, matches: (asked) => isIP(asked) !== 0 && same.check(asked, familyOf(asked)) };
  }
  const name = host.replace(/^\*?\./, '').replace(/(?<!\.)\.$/, '');
  return { port, matches: (asked) => asked === name || asked.endsWith(`.${name}`) };
}

function rangeTest(entry: string): (host: string) => boolean {
  const [network = '', bits = '', ...rest] = entry.split('/');
  const address = bareHost(network);
  const size = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > size)
    throw new TypeError(`holds ${JSON.stringify(entry)}, which is no range of addresses like 10.0.0.0/8`);
  const range = new BlockList();
  range.addSubnet(address, Number(bits), familyOf(address));
  return (host) => isIP(host) !== 0 && range.check(host, familyOf(host));
}

function splitPort(entry: string): { readonly host: string; readonly port: string | null } {
  // An IPv6 address without brackets contains colons itself.
  if (isIP(entry) === 6) return { host: entry, port: null };
  const [, host = entry, port = null] = /^(.*):(\d{1,5})$/.exec(entry) ?? [];
  return { host: bareHost(host), port };
}

/** Without the brackets of an IPv6 address, and the dot that ends a full name. */
function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/(?<!\.)\.$/, '');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  if (isIP(host) !== 0) return loopback.check(host, familyOf(host));
  return host === 'localhost' || host.endsWith('.localhost');
}

/**
 * Link-local addresses, and those that AWS has for the same: they mean this machine, would mean the proxy's own there, and answer with
 * keys. https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
const metadata = new BlockList();
metadata.addSubnet('169.254.0.0', 16, 'ipv4');
metadata.addSubnet('fd00:ec2::', 32, 'ipv6');

function isMetadata(host: string): boolean {
  return isIP(host) !== 0 && metadata.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
