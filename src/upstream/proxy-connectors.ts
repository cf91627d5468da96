/**
 * How connections are opened behind a proxy. To an `https` origin: CONNECT, and TLS with the origin through what that opened, so
 * that the proxy sees neither request nor credential. To an `http` origin: a connection to the proxy, which is sent the whole
 * address. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
 */
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Clock } from '../core/clock.ts';
import type { ProxyAddress } from './proxies.ts';
import { ProxyFailure } from './proxy-failure.ts';

export type Connector = buildConnector.connector;

export interface TunnelParts {
  readonly proxy: ProxyAddress;
  /** Opens TLS with the origin through the socket it is given. */
  readonly inner: Connector;
  readonly clock: Pick<Clock, 'after'>;
  /** For all of it: the proxy's answer, and TLS with the origin. */
  readonly connectMs: number;
  /** Whom a proxy that speaks TLS itself may be certified by; null as Node by itself. */
  readonly secureContext: SecureContext | null;
  /** Those on their way, which a client that closes destroys. */
  readonly pending: Set<Pending>;
}

export interface Pending {
  destroy(error: Error): void;
}

export function tunnelConnector({ proxy, inner, clock, connectMs, secureContext, pending }: TunnelParts): Connector {
  const { protocol, hostname, port } = new URL(proxy.origin);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return (options, callback) => {
    const authority = `${options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname}:${options.port || 443}`;
    const asked = (isSecure ? secureRequest : plainRequest)({
      host,
      port: port === '' ? (isSecure ? 443 : 80) : port,
      method: 'CONNECT',
      path: authority,
      agent: false,
      headers: {
        host: authority,
        ...(proxy.authorization === null ? {} : { 'proxy-authorization': proxy.authorization }),
      },
      // Else it would be that of the header `host`.
      servername: isIP(host) === 0 ? host : '',
      ...(secureContext === null ? {} : { secureContext }),
    });
    let isOver = false;
    /** Once the proxy lets through. */
    let tunnel: Socket | null = null;
    const settle = (): boolean => {
      if (isOver) return false;
      isOver = true;
      timer.cancel();
      pending.delete(underWay);
      return true;
    };
    const fail = (error: Error) => {
      if (settle()) callback(error, null);
    };
    const underWay: Pending = {
      destroy(error) {
        if (tunnel === null) return void asked.destroy(error);
        tunnel.destroy();
        fail(error);
      },
    };
    const timer = clock.after(connectMs, () =>
      underWay.destroy(new ConnectTimeout(`no connection through the proxy within ${connectMs} ms`)),
    );
    pending.add(underWay);
    asked.once('connect', (response, socket: Socket, head: Buffer) => {
      const status = response.statusCode ?? 0;
      const isOpen = status >= 200 && status < 300 && head.length === 0;
      // Whoever speaks TLS is spoken to first: bytes that are here already came from the proxy.
      if (isOver || !isOpen) {
        socket.destroy();
        return fail(ProxyFailure.refused(proxy, status));
      }
      tunnel = socket;
      inner({ ...options, httpSocket: socket }, (...result) => {
        if (settle()) callback(...result);
        else result[1]?.destroy();
      });
    });
    asked.on('error', (error) =>
      fail(error instanceof ConnectTimeout ? error : ProxyFailure.unreachable(proxy, error)),
    );
    // It hung up, or answered as if it had been asked for something else.
    asked.on('close', () => {
      if (tunnel === null) fail(ProxyFailure.unreachable(proxy, undefined));
    });
    asked.end();
  };
}

/** To the proxy itself, for requests that name their whole address. */
export function forwardConnector(proxy: ProxyAddress, inner: Connector): Connector {
  const host = new URL(proxy.origin).hostname.replace(/^\[|\]$/g, '');
  // The name that TLS is spoken for would be that of the origin, which the requests name.
  const servername = isIP(host) === 0 ? host : '';
  return (options, callback) =>
    inner({ ...options, servername }, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(isTimeout(error) ? error : ProxyFailure.unreachable(proxy, error), null);
    });
}

/** By undici's name for it, which is what those look at who wait. */
class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeoutError';
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

function isTimeout(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'UND_ERR_CONNECT_TIMEOUT';
}
