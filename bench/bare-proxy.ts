/**
 * The least a Node program can do and still be a proxy with a key check: `node:http` in, undici's
 * `Pool.dispatch` out, bytes passed as they arrive. What a gateway costs above this is its own cost.
 *
 * `node bench/bare-proxy.ts <backend origin> <key>` listens on a free loopback port and prints it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

const LISTEN_BACKLOG = 4096;
const [backendOrigin, key] = process.argv.slice(2);
if (backendOrigin === undefined || key === undefined) throw new Error('usage: bare-proxy.ts <backend origin> <key>');

const pool = new Pool(backendOrigin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
const authorization = `Bearer ${key}`;

const server = createServer({ noDelay: true, keepAliveTimeout: 600_000 }, (request, response) => {
  if (request.url === '/health/live') response.end('live');
  else if (request.headers.authorization !== authorization) response.writeHead(401).end();
  else readBody(request, (body) => relay(request, body, response));
});
server.listen({ host: '127.0.0.1', port: 0, backlog: LISTEN_BACKLOG }, () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  process.stdout.write(`listening ${address.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));

function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const [first] = pieces;
    done(pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces));
  });
}

function relay(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  pool.dispatch(
    { path: request.url ?? '/', method: 'POST', headers: { 'content-type': 'application/json' }, body },
    {
      onRequestStart(controller) {
        response.on('close', () => {
          if (!response.writableFinished) controller.abort(new Error('the caller left'));
        });
      },
      onResponseStart(_controller, status, headers) {
        const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _framing, ...passed } = headers;
        response.writeHead(status, passed);
      },
      onResponseData(_controller, chunk) {
        response.write(chunk);
      },
      onResponseEnd() {
        response.end();
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
}
