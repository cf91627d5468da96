/**
 * Goal: a price table is read over https from the address that the operator gave and from nowhere else, and whatever the server does, the
 * command ends soon and says why. Method: TLS servers on loopback that answer by path.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type CertificateName, certificate, trust } from '../../../../test/support/certificates.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { fetchTable } from './fetch-table.ts';

const MIB = 1024 * 1024;
const TABLE = '{"prices":[]}';
const asked: string[] = [];

const answers: Readonly<Record<string, RequestListener>> = {
  '/table': (_, response) => void response.end(TABLE),
  '/gzip': (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(TABLE)),
  '/largest': (_, response) => void response.end(Buffer.alloc(32 * MIB, ' ')),
  '/larger': (_, response) => void response.end(Buffer.alloc(32 * MIB + 1, ' ')),
  '/bomb': (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * MIB))),
  '/301': (_, response) => void response.writeHead(301, { location: '/table' }).end(),
  '/307': (_, response) => void response.writeHead(307, { location: 'https://example.invalid/table' }).end(),
  '/404': (_, response) => void response.writeHead(404).end('no table'),
  '/500': (_, response) => void response.writeHead(500).end(TABLE),
  '/silent': () => undefined,
  '/half': (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{'),
  '/broken': (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{');
    setImmediate(() => response.destroy());
  },
};

async function startTls(name: CertificateName): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(certificate(name), (request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    answers[path]?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let origin = '';
let stranger = '';
const servers: Server[] = [];
before(async () => {
  trust('trusted');
  for (const name of ['trusted', 'unknown'] as const) {
    const opened = await startTls(name);
    servers.push(opened.server);
    if (name === 'trusted') origin = opened.origin;
    else stranger = opened.origin;
  }
});
after(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

test('a table is read, compressed or not, up to its largest size', async () => {
  assert.equal(await fetchTable(`${origin}/table`), TABLE);
  assert.equal(await fetchTable(`${origin}/gzip`), TABLE);
  assert.equal((await fetchTable(`${origin}/largest`)).length, 32 * MIB);
});

for (const [path, reason] of [
  ['/301', /unexpected redirect/],
  ['/307', /unexpected redirect/],
  ['/404', /the answer is 404/],
  ['/500', /the answer is 500/],
  ['/larger', /more than 32 MiB/],
  ['/bomb', /more than 32 MiB/],
  ['/broken', /cannot be read: ./],
] as const)
  test(`${path} is no table`, async () => {
    asked.length = 0;
    await assert.rejects(fetchTable(origin + path), (error: Error) => {
      assert.ok(error instanceof CommandFailed);
      assert.ok(error.message.startsWith(`${origin}${path} cannot be read: `), error.message);
      assert.match(error.message, reason);
      return true;
    });
    assert.deepEqual(asked, [path], 'nothing else is asked for');
  });

for (const path of ['/silent', '/half'])
  test(`${path} is given up after a time`, async () => {
    await assert.rejects(fetchTable(origin + path, 50), /cannot be read: it took longer than 0\.05 s/);
  });

test('a server that cannot prove its name is not asked, nor is an address without TLS', async () => {
  asked.length = 0;
  await assert.rejects(fetchTable(`${stranger}/table`), /cannot be read: self-signed certificate/);
  const plain = origin.replace('https:', 'http:');
  for (const address of [`${plain}/table`, 'ftp://127.0.0.1/table', 'data:application/json,{}', 'https://', 'table'])
    await assert.rejects(fetchTable(address), UsageError);
  // A request of the test before may come only now.
  assert.ok(!asked.includes('/table'), asked.join());
});
