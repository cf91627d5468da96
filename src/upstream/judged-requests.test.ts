/**
 * Goal: a judged request reaches only the address that was judged. Method: the real client, servers on loopback, and a resolver that answers
 * what a hostile name server would; a connection that should not be made would be counted.
 */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { certificate, certificateFile } from '../../test/support/certificates.ts';
import { startProxyServer } from '../../test/support/proxy-server.ts';
import { systemClock } from '../core/clock.ts';
import { openAuthorities } from './authorities.ts';
import { UpstreamClient } from './client.ts';
import { EgressPolicy, EgressRefused, type EgressSettings } from './egress-policy.ts';
import type { Resolve } from './judged-connector.ts';
import { Proxies } from './proxies.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

async function serve(listener: RequestListener, isSecure = false): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const server = isSecure ? createSecureServer(certificate('elsewhere'), listener) : createServer(listener);
  server.on('connection', () => {
    connections += 1;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** Answers each lookup of a name with the next of its answers. */
function scriptedResolver(answers: readonly (readonly string[])[]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = (host, done) => {
    const addresses = answers[asked.length] ?? [];
    asked.push(host);
    setImmediate(() =>
      done(
        null,
        addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  return { resolve, asked };
}

function clientOf(settings: EgressSettings, resolve: Resolve, proxies?: Proxies): UpstreamClient {
  const client = new UpstreamClient({
    clock: systemClock,
    connectMs: 2_000,
    egress: new EgressPolicy(settings),
    resolve,
    secureContext: openAuthorities(certificateFile('elsewhere')),
    ...(proxies === undefined ? {} : { proxies }),
  });
  after(() => client.close());
  return client;
}

const LIMITS = { timeoutMs: 5_000, bytesMax: 1024 };

function get(client: UpstreamClient, origin: string, isJudged = true) {
  return client.request({ origin, method: 'GET', path: '/', headers: {}, body: null, isJudged }, LIMITS);
}

test('a name that leads to a refused address is not connected to; the operator reaches it all the same', async () => {
  const server = await serve((_request, response) => void response.end('secret of the network'));
  const { resolve } = scriptedResolver([['127.0.0.1']]);
  const client = clientOf({ allow: [], http: true }, resolve);
  await assert.rejects(get(client, `http://inside.example:${server.port}`), EgressRefused);
  await assert.rejects(get(client, `http://127.0.0.1:${server.port}`), EgressRefused);
  await assert.rejects(get(client, `http://localhost:${server.port}`), EgressRefused);
  for (const host of ['[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0177.0.0.1'])
    await assert.rejects(get(client, new URL(`http://${host}:${server.port}`).origin), EgressRefused, host);
  assert.equal(server.connections(), 0);
  const answer = await get(client, `http://127.0.0.1:${server.port}`, false);
  assert.equal(answer.body.toString(), 'secret of the network');
  // The connection of the operator's request is idle now, and is not used for a judged one.
  await assert.rejects(get(client, `http://127.0.0.1:${server.port}`), EgressRefused);
});

test('a name is resolved once, and the judged address is connected to', async () => {
  const server = await serve((request, response) => void response.end(request.headers.host));
  // As a rebinding name server does: an allowed address when it is judged, another one afterwards.
  const { resolve, asked } = scriptedResolver([['127.0.0.1'], ['10.0.0.1']]);
  const client = clientOf({ allow: [`127.0.0.1/32:${server.port}`], http: true }, resolve);
  const origin = `http://rebinding.example:${server.port}`;
  const answer = await get(client, origin);
  assert.equal(answer.body.toString(), `rebinding.example:${server.port}`);
  assert.deepEqual(asked, ['rebinding.example']);
});

test('a name whose addresses become refused ones is refused when it is connected to again', async () => {
  const server = await serve((_request, response) => {
    response.setHeader('connection', 'close');
    response.end('ok');
  });
  const { resolve, asked } = scriptedResolver([['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1']]);
  const client = clientOf({ allow: [`127.0.0.1/32:${server.port}`], http: true }, resolve);
  const origin = `http://changing.example:${server.port}`;
  assert.equal((await get(client, origin)).status, 200);
  await assert.rejects(get(client, origin), EgressRefused);
  await assert.rejects(get(client, origin), EgressRefused);
  assert.equal(asked.length, 3);
  assert.equal(server.connections(), 1);
});

test('the next address is tried if one cannot be connected to', async () => {
  const server = await serve((_request, response) => void response.end('ok'));
  const { resolve } = scriptedResolver([['127.0.0.2', '127.0.0.1']]);
  const client = clientOf({ allow: ['127.0.0.0/8'], http: true }, resolve);
  assert.equal((await get(client, `http://two.example:${server.port}`)).body.toString(), 'ok');
});

test('http is refused unless allowed, and a redirect is not followed', async () => {
  const inside = await serve((_request, response) => void response.end('inside'));
  const server = await serve((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` });
    response.end();
  });
  const allow = [`127.0.0.1/32:${server.port}`];
  const { resolve } = scriptedResolver([['127.0.0.1'], ['127.0.0.1']]);
  await assert.rejects(
    get(clientOf({ allow, http: false }, resolve), `http://a.example:${server.port}`),
    EgressRefused,
  );
  const answer = await get(clientOf({ allow, http: true }, resolve), `http://a.example:${server.port}`);
  assert.equal(answer.status, 302);
  assert.equal(inside.connections(), 0);
});

test('over https the certificate is checked for the name, at the judged address', async () => {
  const server = await serve((_request, response) => void response.end('ok'), true);
  const { resolve } = scriptedResolver([['127.0.0.1'], ['127.0.0.1']]);
  const client = clientOf({ allow: ['127.0.0.0/8'], http: false }, resolve);
  assert.equal((await get(client, `https://elsewhere.example:${server.port}`)).body.toString(), 'ok');
  await assert.rejects(get(client, `https://another.example:${server.port}`), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

test('behind a proxy the tunnel leads to the judged address; a refused one is not asked for', async () => {
  const server = await serve((_request, response) => void response.end('ok'), true);
  const proxy = await startProxyServer();
  after(() => proxy.close());
  const proxies = new Proxies({ https: proxy.origin, http: proxy.origin, direct: null });
  const { resolve } = scriptedResolver([['127.0.0.1'], ['10.0.0.1']]);
  const client = clientOf({ allow: ['127.0.0.0/8'], http: true }, resolve, proxies);
  assert.equal((await get(client, `https://elsewhere.example:${server.port}`)).body.toString(), 'ok');
  assert.deepEqual(
    proxy.asked.map(({ target }) => target),
    [`127.0.0.1:${server.port}`],
  );
  await assert.rejects(get(client, 'https://elsewhere.example:444'), EgressRefused);
  await assert.rejects(get(client, `http://elsewhere.example:${server.port}`), /http origin cannot be judged/);
  assert.equal(proxy.asked.length, 1);
});
