/**
 * How connections are opened through a proxy. To an `https` origin: CONNECT, then TLS with the origin through the tunnel, so
 * that the proxy sees neither request nor credential. To an `http` origin: a connection to the proxy, and requests with their
 * absolute address. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
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
  /** Opens TLS with the origin through the given socket. */
  readonly inner: Connector;
  readonly clock: Pick<Clock, 'after'>;
  /** For everything: the proxy's answer, and TLS with the origin. */
  readonly connectMs: number;
  /** Trusted authorities for a proxy that itself speaks TLS; null for Node's own. */
  readonly secureContext: SecureContext | null;
  /** Tunnels being opened; the client destroys them when it closes. */
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
      // Otherwise Node would take it from the `host` header.
      servername: isIP(host) === 0 ? host : '',
      ...(secureContext === null ? {} : { secureContext }),
    });
    let isOver = false;
    /** Set once the proxy has opened the tunnel. */
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
      // In TLS the client speaks first, so bytes that are here already came from the proxy.
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
    // It closed the connection, or answered as if it were not a CONNECT request.
    asked.on('close', () => {
      if (tunnel === null) fail(ProxyFailure.unreachable(proxy, undefined));
    });
    asked.end();
  };
}

/** Connects to the proxy itself, for requests with an absolute address. */
export function forwardConnector(proxy: ProxyAddress, inner: Connector): Connector {
  const host = new URL(proxy.origin).hostname.replace(/^\[|\]$/g, '');
  // Otherwise TLS would be set up for the name of the origin, which the requests have.
  const servername = isIP(host) === 0 ? host : '';
  return (options, callback) =>
    inner({ ...options, servername }, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(isTimeout(error) ? error : ProxyFailure.unreachable(proxy, error), null);
    });
}

/** Has undici's name and code for it, which callers check. */
class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeoutError';
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

function isTimeout(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'UND_ERR_CONNECT_TIMEOUT';
}
