/**
 * Where the gateway connects to on behalf of somebody who may set an origin: public addresses, over https, and what the operator allows
 * in addition. The operator's own origins are not affected.
 */
import { BlockList, isIP } from 'node:net';
import { isPublic, plainAddress } from './special-addresses.ts';

export interface EgressSettings {
  /** Networks that are allowed although they are not public: `10.1.0.0/16`, `127.0.0.1/32:8080`, `[fd00::/8]:443`. */
  readonly allow: readonly string[];
  /** Whether `http` origins are allowed. */
  readonly http: boolean;
}

export const PUBLIC_ONLY: EgressSettings = { allow: [], http: false };

/** An address that a judged origin must not be connected to; the message names no address, which the caller might be probing for. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  readonly code = 'ERR_EGRESS_REFUSED';
}

const NOT_PUBLIC =
  'the host is, or resolves to, an address that is not public; the operator can allow networks with egress.allow.';
const NOT_HTTPS = 'only https is allowed here; the operator can allow http with egress.http.';

export class EgressPolicy {
  readonly #rules: readonly Rule[];
  readonly #http: boolean;

  /** Throws `TypeError` for what `parseAllowed` refuses. */
  constructor({ allow, http }: EgressSettings) {
    this.#rules = allow.map(parseAllowed);
    this.#http = http;
  }

  /** Whether an address may be connected to. */
  allows(address: string, port: number): boolean {
    const plain = plainAddress(address);
    if (plain === null) return false;
    if (isPublic(plain)) return true;
    return this.#rules.some(
      (rule) => (rule.port === null || rule.port === port) && rule.network.check(plain.text, plain.family),
    );
  }

  /** Throws `EgressRefused`: all addresses of a host must be allowed, or none of them is used. */
  check(addresses: readonly string[], port: number): void {
    if (addresses.length > 0 && addresses.every((address) => this.allows(address, port))) return;
    throw new EgressRefused(NOT_PUBLIC);
  }

  /** Throws `EgressRefused`. */
  checkScheme(protocol: string): void {
    if (protocol !== 'https:' && !this.#http) throw new EgressRefused(NOT_HTTPS);
  }

  /** What is wrong with an origin, as far as that is known without resolving its host; null if nothing is. */
  complaintAbout(origin: string): string | null {
    if (!URL.canParse(origin)) return 'it must be an address like https://host.';
    const { protocol, hostname, port } = new URL(origin);
    const host = hostname.replace(/^\[|\]$/g, '');
    if (protocol !== 'https:' && !this.#http) return NOT_HTTPS;
    if (isIP(host) !== 0) return this.allows(host, portOf(protocol, port)) ? null : NOT_PUBLIC;
    const known = knownAddress(host);
    return known === null || this.allows(known, portOf(protocol, port)) ? null : NOT_PUBLIC;
  }
}

/** Of names that only exist on this machine or in its network: they are refused without asking. */
function knownAddress(host: string): string | null {
  if (host === 'metadata.google.internal') return '169.254.169.254';
  return host === 'localhost' || host.endsWith('.localhost') ? '127.0.0.1' : null;
}

export function portOf(protocol: string, port: string): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

interface Rule {
  readonly network: BlockList;
  /** Null: every port. */
  readonly port: number | null;
}

const WITH_PORT = /^(?:\[(?<six>[0-9a-fA-F:.]+\/\d{1,3})\]|(?<four>[\d.]+\/\d{1,2})):(?<port>\d{1,5})$/;
const WITHOUT_PORT = /^[0-9a-fA-F:.]+\/\d{1,3}$/;

/** `10.0.0.0/8`, `10.0.0.0/8:8080`, `fd00::/8`, `[fd00::/8]:443`. Throws a `TypeError` whose message may be shown. */
export function parseAllowed(text: string): Rule {
  const { six, four, port } = WITH_PORT.exec(text)?.groups ?? {};
  const subnet = six ?? four ?? (WITHOUT_PORT.test(text) ? text : null);
  const [network = '', prefix = ''] = subnet?.split('/') ?? [];
  const family = isIP(network);
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  if (family === 0 || Number(prefix) > (family === 6 ? 128 : 32) || !isPort)
    throw new TypeError('must be a network like 10.0.0.0/8, 10.0.0.0/8:8080, fd00::/8 or [fd00::/8]:443');
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family === 6 ? 'ipv6' : 'ipv4');
  return { network: list, port: port === undefined ? null : Number(port) };
}
