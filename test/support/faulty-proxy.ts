/** A small HTTP proxy on loopback in front of a gateway, with one fault of proxies that are set up for web pages. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
  request as send,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type CertificateName, certificate } from './certificates.ts';

export interface ProxyFault {
  /** Sends an answer when all of it has arrived. */
  readonly buffers?: true;
  /** Headers that it removes from requests, and from answers; in lower case. */
  readonly stripsFromRequests?: readonly string[];
  readonly stripsFromAnswers?: readonly string[];
  /** Cuts a connection on which nothing arrives for so long. */
  readonly idleMs?: number;
  /** Refuses a longer body with its own page. */
  readonly bodyBytesMax?: number;
  /** Sends its own page instead of an answer with an error status. */
  readonly hidesErrors?: true;
  /** Closes each connection after one answer. */
  readonly closes?: true;
  /** Passes requests below this path on, without it, and no others. */
  readonly below?: string;
  /** Serves TLS with this certificate. */
  readonly certificate?: CertificateName;
}

export interface FaultyProxy {
  readonly url: string;
  close(): Promise<void>;
}

const PAGE = '<html><body>The proxy says no.</body></html>';

export async function startFaultyProxy(upstream: string, fault: ProxyFault): Promise<FaultyProxy> {
  const listener: RequestListener = (incoming, response) => {
    const page = (status: number) => {
      incoming.resume();
      response.writeHead(status, { 'content-type': 'text/html', 'content-length': PAGE.length }).end(PAGE);
    };
    if (Number(incoming.headers['content-length'] ?? 0) > (fault.bodyBytesMax ?? Number.POSITIVE_INFINITY))
      return page(413);
    const { below = '' } = fault;
    const path = incoming.url ?? '';
    if (!path.startsWith(`${below}/`)) return page(404);
    const headers = without(incoming.headers, fault.stripsFromRequests);
    const onward = send(`${upstream}${path.slice(below.length)}`, { method: incoming.method, headers, agent: false });
    onward.on('response', (answer) => {
      const status = answer.statusCode ?? 502;
      if (fault.hidesErrors === true && status >= 400) {
        answer.resume();
        return page(status);
      }
      const kept = {
        ...without(answer.headers, fault.stripsFromAnswers),
        ...(fault.closes ? { connection: 'close' } : {}),
      };
      if (fault.buffers === true) {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => response.writeHead(status, kept).end(Buffer.concat(pieces)));
        return;
      }
      response.writeHead(status, kept);
      response.flushHeaders();
      answer.on('data', (piece: Buffer) => response.write(piece));
      answer.on('end', () => response.end());
      if (fault.idleMs !== undefined) onward.setTimeout(fault.idleMs, () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const isSecure = fault.certificate !== undefined;
  const server =
    fault.certificate === undefined
      ? createServer(listener)
      : createSecureServer(certificate(fault.certificate), listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function without(headers: IncomingHttpHeaders, names: readonly string[] = []): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
