/**
 * Opens connections whose address is judged when it is connected to: the host is resolved once, all of its addresses are judged, and one of
 * them is connected to. A name whose addresses change in between (DNS rebinding) is never resolved again.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { type EgressPolicy, EgressRefused, portOf } from './egress-policy.ts';

type Connector = buildConnector.connector;

/** All addresses of a host. */
export type Resolve = (host: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

export const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true }, done);

export interface JudgedParts {
  readonly policy: EgressPolicy;
  readonly resolve: Resolve;
  /** Opens a connection to an address; it gets the address as host name, and the name for TLS. */
  readonly inner: Connector;
}

export function judgedConnector({ policy, resolve, inner }: JudgedParts): Connector {
  return (options, callback) => {
    const port = portOf(options.protocol, options.port);
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const connect = (addresses: readonly string[]) => {
      try {
        policy.checkScheme(options.protocol);
        policy.check(addresses, port);
      } catch (error) {
        return callback(error as EgressRefused, null);
      }
      tryEach(inner, options, addresses, callback);
    };
    if (isIP(host) !== 0) return connect([host]);
    resolve(host, (error, addresses) => {
      if (error === null) connect(addresses.map(({ address }) => address));
      else callback(error, null);
    });
  };
}

/** The next address if one cannot be connected to; TLS is always with the host's name. */
function tryEach(
  inner: Connector,
  options: buildConnector.Options,
  [address, ...others]: readonly string[],
  callback: buildConnector.Callback,
): void {
  if (address === undefined) return callback(new EgressRefused('the host has no address.'), null);
  const host = options.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) === 0 ? options.servername || host : '';
  inner({ ...options, hostname: address, servername }, (...[error, socket]) => {
    if (error === null) callback(null, socket);
    else if (others.length === 0) callback(error, null);
    else tryEach(inner, options, others, callback);
  });
}

/** For an `http` origin behind a proxy, which would resolve the name itself. */
export const refusingConnector: Connector = (_options, callback) =>
  callback(
    new EgressRefused('an http origin cannot be judged behind a proxy; use https, or reach it directly (NO_PROXY).'),
    null,
  );
