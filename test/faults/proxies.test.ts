/**
 * Goal: a provider reached through a proxy is served like one without, in every way a call can end; the proxy sees neither key nor
 * prompt of an https provider, and nobody sees the proxy's password. Method: a real proxy on loopback, which resolves a made-up host
 * name leads; providers over TLS with a certificate of their own for that name, and over plain HTTP.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { certificate, certificateFile } from '../support/certificates.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { headerOf } from '../support/http-reader.ts';
import {
  type ConfigFile,
  chatBody,
  DIALECTS,
  endsProperly,
  errorCode,
  type OpenBench,
  openBenchWith,
  PATHS,
  rawCall,
  scriptedProvider,
} from '../support/open-gateway.ts';
import { type ProxyServer, startProxyServer } from '../support/proxy-server.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { startServer } from '../support/serve-process.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { answerWell, openaiFrames, silent, stream, streamThen } from '../support/upstream-scripts.ts';

const HOST = 'elsewhere.example';
const USER = 'proxy-user:canary-password-of-the-proxy';
const CREDENTIAL = 'canary-credential-of-scripted';
const CLOSED_WITHIN_MS = 100;

interface Behind {
  readonly proxy: ProxyServer;
  readonly bench: OpenBench;
  readonly upstream: ScriptedUpstream;
}

interface BehindOptions {
  readonly scheme?: 'http' | 'https';
  readonly proxyAddress?: (proxy: ProxyServer) => string;
  readonly file?: ConfigFile;
  readonly upstreamFile?: Readonly<Record<string, string>>;
  readonly clock?: ManualClock;
  readonly isProxySecure?: boolean;
}

async function behindProxy(context: TestContext, options: BehindOptions = {}): Promise<Behind> {
  const { scheme = 'https', proxyAddress = withUser, file = {}, upstreamFile = {}, clock, isProxySecure } = options;
  const proxy = await startProxyServer({
    userAndPassword: USER,
    ...(isProxySecure === true ? { certificate: certificate('trusted') } : {}),
  });
  const upstream = await startScriptedUpstream(answerWell, scheme === 'https' ? certificate('elsewhere') : undefined);
  const origin = `${scheme}://${HOST}:${new URL(upstream.origin).port}`;
  const bench = await openBenchWith(
    upstream,
    {
      providers: [scriptedProvider('scripted', origin)],
      upstream: {
        [`${scheme}Proxy`]: proxyAddress(proxy),
        caFile: certificateFile('elsewhere'),
        ...upstreamFile,
      },
      ...file,
    },
    clock === undefined ? {} : { clock },
  );
  context.after(async () => {
    await bench.close();
    await proxy.close();
  });
  return { proxy, bench, upstream };
}

function withUser({ origin }: ProxyServer): string {
  return origin.replace('://', `://${USER}@`);
}

for (const scheme of ['https', 'http'] as const) {
  describe(`a provider over ${scheme}`, () => {
    test('is served through the proxy, whole and streamed, one connection for one call after the other', async (context) => {
      const { proxy, bench, upstream } = await behindProxy(context, { scheme });
      for (const dialect of DIALECTS) {
        for (const streamed of [false, true]) {
          const answer = await bench.post(PATHS[dialect], chatBody(streamed));
          assert.equal(answer.status, 200);
          const text = await answer.text();
          assert.match(text, /Hi/);
          if (streamed) assert.ok(endsProperly(text));
        }
      }
      assert.equal(upstream.exchanges.length, 4);
      const { host } = new URL(`http://${HOST}:${new URL(upstream.origin).port}`);
      for (const { request } of upstream.exchanges) {
        assert.equal(headerOf(request, 'host'), host);
        assert.match(request.startLine, /^POST \/v1\/\S+ HTTP\/1\.1$/);
        assert.equal(headerOf(request, 'proxy-authorization'), null);
      }
      if (scheme === 'https') {
        assert.deepEqual(
          proxy.asked.map(({ method, target }) => `${method} ${target}`),
          [`CONNECT ${host}`],
        );
        const seen = `${JSON.stringify(proxy.asked)}${proxy.sent().toString('latin1')}`;
        assert.doesNotMatch(seen, new RegExp(`${CREDENTIAL}|messages|scripted-1`));
      } else {
        assert.ok(proxy.asked.every(({ target }) => target.startsWith(`http://${host}/v1/`)));
      }
      assert.equal(proxy.open, 1, 'connections are used again');
    });

    test('a large request and a large stream come through whole', async (context) => {
      const { bench, upstream } = await behindProxy(context, { scheme });
      const large = 'a large text '.repeat(100_000);
      const pieces = Array<string>(40).fill(large.slice(0, 50_000));
      upstream.play(stream(openaiFrames(pieces)));
      const arrived = upstream.nextExchange();
      const answer = await bench.post(PATHS['openai-chat'], chatBody(true, large));
      const text = await answer.text();
      assert.equal(text.split(pieces[0] as string).length - 1, pieces.length);
      assert.ok(endsProperly(text));
      const { messages } = (await arrived).json as { messages: { content: string }[] };
      assert.equal(messages[0]?.content, large);
    });

    test(`a caller that leaves frees the provider within ${CLOSED_WITHIN_MS} ms`, async (context) => {
      const { bench, upstream } = await behindProxy(context, { scheme });
      upstream.play(streamThen(openaiFrames(['four']).slice(0, 2), () => undefined));
      const keptMs: number[] = [];
      for (let time = 0; time < 5; time += 1) {
        const arrived = upstream.nextExchange();
        const settled = bench.nextRecord();
        const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
        const exchange = await arrived;
        await reader.sees('four');
        const leftAt = reader.leave();
        keptMs.push((await exchange.closed) - leftAt);
        assert.equal((await settled).ending, 'caller_left');
      }
      // The median: on a busy machine, one may wait for the processor.
      const median = keptMs.toSorted((left, right) => left - right)[2] ?? Number.NaN;
      assert.ok(median < CLOSED_WITHIN_MS, `${keptMs.join(', ')} ms`);
    });

    test('a silent provider is given up at its time limit', async (context) => {
      const clock = new ManualClock();
      const { bench, upstream } = await behindProxy(context, { scheme, clock });
      upstream.play(silent);
      const arrived = upstream.nextExchange();
      const answering = bench.post(PATHS['openai-chat'], chatBody(false));
      const exchange = await arrived;
      clock.advance(600_000);
      const answer = await answering;
      assert.equal(answer.status, 504);
      assert.equal(errorCode(await answer.json()), 'upstream_timeout');
      await exchange.closed;
    });

    test('a wrong password is the operator’s problem: the caller is not shown it, and the log contains no secret', async (context) => {
      const { bench, upstream } = await behindProxy(context, {
        scheme,
        proxyAddress: ({ origin }) => origin.replace('://', '://proxy-user:canary-wrong@'),
      });
      const settled = bench.nextRecord();
      const answer = await bench.post(PATHS['openai-chat'], chatBody(false));
      assert.equal(answer.status, 502);
      const text = await answer.text();
      assert.equal(errorCode(JSON.parse(text)), 'upstream_unreachable');
      assert.equal((await settled).charge, 0n);
      assert.equal(upstream.exchanges.length, 0);
      const report = await bench.app.control.inject({ method: 'POST', url: '/control/api/providers/scripted/test' });
      assert.match(report.body, /rejected the user or password/);
      await until('the line of the call', () => bench.log.some((line) => line.includes('PROXY_REFUSED')));
      const all = text + report.body + bench.log.join('');
      assert.doesNotMatch(all, /canary|proxy-user|Basic|cHJveHk/);
    });

    test('a proxy that refuses connections makes the provider unreachable, and is named in its test', async (context) => {
      const { bench } = await behindProxy(context, { scheme, proxyAddress: () => 'http://127.0.0.1:9' });
      const answer = await bench.post(PATHS['openai-chat'], chatBody(false));
      assert.equal(answer.status, 502);
      await answer.text();
      assert.ok(bench.log.some((line) => line.includes('PROXY_UNREACHABLE')));
      const report = await bench.app.control.inject({ method: 'POST', url: '/control/api/providers/scripted/test' });
      assert.match(report.body, /The proxy http:\/\/127\.0\.0\.1:9 cannot be reached/);
    });

    test('is reached directly if the list says so', async (context) => {
      const { bench, proxy } = await behindProxy(context, { scheme, upstreamFile: { noProxy: `.example` } });
      const answer = await bench.post(PATHS['openai-chat'], chatBody(false));
      assert.equal(answer.status, 502, 'the name does not resolve without the proxy');
      await answer.text();
      assert.equal(proxy.asked.length, 0);
    });
  });
}

test('a tunnel that does not open in time is a timeout, and one that is refused reports the status to the operator', async (context) => {
  const clock = new ManualClock();
  const { bench, proxy } = await behindProxy(context, { clock });
  proxy.behave('is silent');
  const waiting = bench.post(PATHS['openai-chat'], chatBody(false));
  await until('CONNECT', () => proxy.asked.length === 1);
  clock.advance(5_000);
  const late = await waiting;
  assert.equal(errorCode(await late.json()), 'upstream_timeout');
  await until('the connection is closed', () => proxy.open === 0);
  for (const status of [403, 502, 302]) {
    proxy.behave(status);
    const report = await bench.app.control.inject({ method: 'POST', url: '/control/api/providers/scripted/test' });
    assert.match(report.body, new RegExp(`\\(status ${status}\\)`));
  }
  proxy.behave('lets through');
  assert.equal((await bench.post(PATHS['openai-chat'], chatBody(false))).status, 200);
});

test('an unreachable host takes no longer than a silent proxy: one limit for the whole connection setup', {
  timeout: 20_000,
}, async (context) => {
  const clock = new ManualClock();
  const file = { timeouts: { connectMs: 60_000, firstByteMs: 900_000 } };
  const { bench, proxy } = await behindProxy(context, { clock, file });
  proxy.behave('leads nowhere');
  const waiting = bench.post(PATHS['openai-chat'], chatBody(false));
  await until('CONNECT', () => proxy.asked.length === 1);
  clock.advance(40_000);
  await until('TLS has begun', () => proxy.sent().length > 0);
  clock.advance(19_999);
  assert.equal(proxy.open, 1);
  clock.advance(1);
  const late = await waiting;
  assert.equal(errorCode(await late.json()), 'upstream_timeout');
  await until('the connection is closed', () => proxy.open === 0);
});

test('closing does not wait for a stuck tunnel', { timeout: 20_000 }, async (context) => {
  const { bench, proxy } = await behindProxy(context, { clock: new ManualClock() });
  proxy.behave('leads nowhere');
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
  await until('TLS has begun', () => proxy.sent().length > 0);
  reader.leave();
  await bench.app.close();
  await until('the connection is closed', () => proxy.open === 0);
});

test('a caller that leaves while the tunnel opens costs nothing, and closing does not wait for the proxy', async (context) => {
  const { bench, proxy } = await behindProxy(context, { clock: new ManualClock() });
  proxy.behave('is silent');
  const settled = bench.nextRecord();
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
  await until('CONNECT', () => proxy.asked.length === 1);
  reader.leave();
  assert.equal((await settled).charge, 0n);
  await bench.app.close();
  await until('the connection is closed', () => proxy.open === 0);
});

for (const scheme of ['https', 'http'] as const) {
  test(`a proxy that speaks TLS itself is certified, too: ${scheme} provider`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-ca-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const caFile = join(folder, 'both.pem');
    writeFileSync(
      caFile,
      readFileSync(certificateFile('elsewhere'), 'utf8') + readFileSync(certificateFile('trusted'), 'utf8'),
    );
    const good = await behindProxy(context, { scheme, isProxySecure: true, upstreamFile: { caFile } });
    assert.equal((await good.bench.post(PATHS['openai-chat'], chatBody(false))).status, 200);
    const unknown = await behindProxy(context, { scheme, isProxySecure: true });
    assert.equal((await unknown.bench.post(PATHS['openai-chat'], chatBody(false))).status, 502);
    assert.equal(unknown.proxy.asked.length, 0);
  });
}

test('loopback providers and the demo never go through a proxy', async (context) => {
  const upstream = await startScriptedUpstream(answerWell);
  const dead = 'http://127.0.0.1:9';
  const bench = await openBenchWith(upstream, { demo: true, upstream: { httpsProxy: dead, httpProxy: dead } });
  context.after(() => bench.close());
  assert.equal((await bench.post(PATHS['openai-chat'], chatBody(false))).status, 200);
  assert.equal((await bench.post(PATHS['openai-chat'], chatBody(true, 'hi', 'demo/echo'))).status, 200);
});

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined;

test('a private certificate authority: in upstream.caFile or NODE_EXTRA_CA_CERTS, through a proxy from the environment', {
  skip: !hasOpenssl,
  timeout: 60_000,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-ca-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const upstream = await startScriptedUpstream(answerWell, makeCertificate(folder));
  const proxy = await startProxyServer({ userAndPassword: USER });
  context.after(async () => {
    await proxy.close();
    await upstream.close();
  });
  const file = {
    demo: false,
    providers: [scriptedProvider('scripted', `https://made.example:${new URL(upstream.origin).port}`)],
  };
  const ca = join(folder, 'ca.pem');
  for (const [status, extra, environment] of [
    [200, { upstream: { caFile: ca } }, { https_proxy: withUser(proxy), HTTPS_PROXY: 'http://127.0.0.1:9' }],
    [200, {}, { HTTPS_PROXY: withUser(proxy), NODE_EXTRA_CA_CERTS: ca }],
    [502, {}, { HTTPS_PROXY: withUser(proxy) }],
  ] as const) {
    const server = await startServer({ ...file, ...extra }, environment);
    const answer = await fetch(server.url + PATHS['openai-chat'], {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody(false)),
    });
    assert.equal(answer.status, status);
    await answer.text();
    assert.doesNotMatch(server.printed(), /canary-password|cHJveHk/);
    await server.remove();
  }
  assert.ok(proxy.asked.every(({ target }) => target.startsWith('made.example:')));
});

/** A certificate for `made.example`, from the authority in `ca.pem`: both created now. */
function makeCertificate(folder: string): { key: string; cert: string } {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...curve, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Own authority', '-days', '2');
  openssl('req', ...curve, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', '/CN=made.example');
  writeFileSync(join(folder, 'leaf.ext'), 'subjectAltName=DNS:made.example\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'leaf.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'leaf.ext',
    '-out',
    'leaf.pem',
  );
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { key: text('leaf.key'), cert: text('leaf.pem') };
}

test('the doctor says which provider is reached through which proxy, and never its password', {
  timeout: 60_000,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-doctor-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = { port: 0, providers: [{ ...scriptedProvider('lab', 'http://lab.inside.example:8000') }] };
  writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify(file));
  const environment = {
    https_proxy: 'http://proxy-user:canary@proxy.example:3128',
    HTTP_PROXY: 'proxy.example:3129',
    NO_PROXY: '.inside.example',
    OPENAI_API_KEY: 'sk-x',
  };
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, '../../src/cli.ts'), 'doctor'], {
    cwd: folder,
    env: childEnvironment(environment),
    encoding: 'utf8',
  });
  assert.match(stdout, /proxies: lab directly; openai through http:\/\/proxy\.example:3128\n/);
  assert.doesNotMatch(stdout, /canary/);
});
