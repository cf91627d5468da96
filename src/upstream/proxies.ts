/**
 * Which proxy an origin is reached through. As in curl and most programs: one proxy for `https` origins, one for `http`, and
 * a list of hosts that are reached directly. https://everything.curl.dev/usingcurl/proxies/env.html
 */
import { type DirectHosts, parseDirectHosts } from './direct-hosts.ts';

export interface ProxyAddress {
  /** Scheme, host and port: never a user or a password. */
  readonly origin: string;
  /** The value of `Proxy-Authorization`; null if the address has no user. */
  readonly authorization: string | null;
}

export interface ProxySettings {
  readonly https: string | null;
  readonly http: string | null;
  /** Hosts separated by commas or blanks; see `parseDirectHosts`. */
  readonly direct: string | null;
}

export class Proxies {
  readonly #https: ProxyAddress | null;
  readonly #http: ProxyAddress | null;
  readonly #direct: DirectHosts;

  /** Throws `TypeError` for what `parseProxy` and `parseDirectHosts` refuse. */
  constructor({ https, http, direct }: ProxySettings) {
    this.#https = https === null ? null : parseProxy(https);
    this.#http = http === null ? null : parseProxy(http);
    this.#direct = parseDirectHosts(direct ?? '');
  }

  /**
   * Null for an origin that is reached directly. Loopback always is, so calls to the built-in provider never leave the machine.
   */
  of(origin: string): ProxyAddress | null {
    const url = new URL(origin);
    const proxy = url.protocol === 'https:' ? this.#https : this.#http;
    return proxy === null || this.#direct.has(url) ? null : proxy;
  }
}

export const NO_PROXIES = new Proxies({ https: null, http: null, direct: null });

/**
 * `http://user:password@host:3128`; without a scheme it is `http`. Throws a `TypeError` whose message may be shown: it does
 * not repeat any part of the address.
 */
export function parseProxy(text: string): ProxyAddress {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError('must be the address of an HTTP proxy, like http://host:3128');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new TypeError('must be the address of a proxy alone, without a path');
  return { origin: url.origin, authorization: authorizationOf(url) };
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-11.7.2 */
function authorizationOf({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  let pair: string;
  try {
    pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    throw new TypeError('has a user or a password with a % that begins no escape; write %25 for it');
  }
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
