/**
 * A real HTTP proxy on loopback: CONNECT, and requests with an absolute URL. Whatever host is requested, it connects to
 * 127.0.0.1 at the port of the address, so that a test reaches its provider by a host name that is not a loopback one.
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, request, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificates.ts';

export interface Asked {
  readonly method: string;
  /** `host:port` of a CONNECT, else the whole address. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ProxyServer {
  /** `http://127.0.0.1:<port>`, or `https`. */
  readonly origin: string;
  /** Every tunnel and request so far. */
  readonly asked: readonly Asked[];
  /** All bytes that went through tunnels towards providers, as on the wire. */
  sent(): Buffer;
  /** Open connections to it. */
  readonly open: number;
  /** What it does with CONNECT from now on: pass it, connect to nothing, answer with this status, or not answer. */
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

type Behaviour = 'lets through' | 'leads nowhere' | 'is silent' | number;

export async function startProxyServer(
  options: { readonly userAndPassword?: string; readonly certificate?: Certificate } = {},
): Promise<ProxyServer> {
  const asked: Asked[] = [];
  const sent: Buffer[] = [];
  const sockets = new Set<Duplex>();
  let behaviour: Behaviour = 'lets through';
  const wanted =
    options.userAndPassword === undefined
      ? undefined
      : `Basic ${Buffer.from(options.userAndPassword).toString('base64')}`;
  const forward: RequestListener = (incoming, response) => {
    asked.push({ method: incoming.method ?? '', target: incoming.url ?? '', headers: incoming.headers });
    if (incoming.headers['proxy-authorization'] !== wanted) return void response.writeHead(407).end();
    const { port, pathname } = new URL(incoming.url ?? '');
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const onward = request({ host: '127.0.0.1', port, path: pathname, method: incoming.method, headers, agent: false });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const server: Server =
    options.certificate === undefined ? createServer(forward) : createSecureServer(options.certificate, forward);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('connect', ({ url = '', headers }, socket: Duplex) => {
    asked.push({ method: 'CONNECT', target: url, headers });
    socket.on('error', () => undefined);
    if (behaviour === 'is silent') return void socket.on('end', () => socket.destroy()).resume();
    const status = headers['proxy-authorization'] !== wanted ? 407 : behaviour;
    if (typeof status === 'number') return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    if (behaviour === 'leads nowhere') {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      return void socket.on('data', (bytes: Buffer) => sent.push(bytes)).on('end', () => socket.destroy());
    }
    const onward = connect(Number(url.split(':').at(-1)), '127.0.0.1');
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.on('data', (bytes: Buffer) => sent.push(bytes));
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `${options.certificate === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sent: () => Buffer.concat(sent),
    get open() {
      return sockets.size;
    },
    behave(how) {
      behaviour = how;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
