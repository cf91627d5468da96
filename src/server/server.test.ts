/**
 * Goal: browsers get the dashboard with its security headers, and programs get the API. Method: the public server in process, with a folder
 * of files, a management API over stand-ins, and a gateway that refuses.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { openDoors, sessionToken } from '../api/management/door/mount-fixture.ts';
import { DashboardFiles } from '../api/public/dashboard-files.ts';
import { ManualClock } from '../core/clock.ts';
import { buildServer } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-dashboard-'));
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))});\n`;
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<!doctype html><div id="root"></div>');
writeFileSync(join(folder, 'assets/index-abc123.js'), SCRIPT);
writeFileSync(join(folder, 'assets/index-abc123.js.br'), brotliCompressSync(SCRIPT));
writeFileSync(join(folder, 'assets/index-abc123.js.gz'), gzipSync(SCRIPT));
writeFileSync(join(folder, 'assets/theme-1.css'), 'a{}');
writeFileSync(join(folder, 'assets/notes.secret'), 'not served');
after(() => rmSync(folder, { recursive: true }));

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

function open(files = new DashboardFiles(folder)) {
  const warned: unknown[] = [];
  const clock = new ManualClock();
  const gateway = {
    clock,
    limits: { headersMax: 100 },
    metrics: { errorAnswered: () => undefined },
    log: { warn: (facts: unknown) => warned.push(facts), error: () => undefined },
    publicUrl: () => 'http://127.0.0.1:8080',
  } as unknown as Parameters<typeof buildServer>[0];
  const program = {
    paths: ['/'],
    style: 'default',
    isPage: true,
    answer: () => ({ body: '{"name":"turnpike"}' }),
  } as const;
  const live = { paths: ['/health/live'], style: 'default', answer: () => ({ body: '{}' }) } as const;
  const docs = {
    paths: ['/docs'],
    style: 'default',
    isPage: true,
    answer: () => ({ body: '{"name":"documents"}' }),
  } as const;
  const errors = {
    paths: ['/docs/reference/errors.md', '/docs/reference/errors'],
    style: 'default',
    isPage: true,
    answer: () => ({ body: '# Errors of the code' }),
  } as const;
  const { management } = openDoors({ doors: [] });
  const server = buildServer(
    gateway,
    { headerBytesMax: 16_384, headersMs: 10_000 },
    { keyed: [], open: [program, live, docs, errors] },
    { management, files },
  );
  const ask = (url: string, headers: Readonly<Record<string, string>> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    server.inject({ method, url, headers });
  return { server, ask, warned, clock };
}

test('a browser gets the page at any path; a program gets the API’s answer', async () => {
  const { ask } = open();
  for (const path of ['/', '/keys', '/keys/12?range=7d', '/models/acme/large-4.5', '/sign-in']) {
    const page = await ask(path, BROWSER);
    assert.equal(page.statusCode, 200, path);
    assert.match(page.body, /id="root"/);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(String(page.headers['vary']), /Accept/);
  }
  assert.deepEqual((await ask('/')).json(), { name: 'turnpike' });
  assert.equal((await ask('/')).headers['vary'], 'Accept');
  const wrong = await ask('/keys');
  assert.equal(wrong.statusCode, 404);
  assert.match(wrong.json().error.message, /OpenAI clients and Responses clients .* use/);
  const head = await ask('/keys', BROWSER, 'HEAD');
  assert.deepEqual([head.statusCode, head.body], [200, '']);
  assert.equal((await ask('/keys', BROWSER, 'POST')).statusCode, 404);
});

test('paths of the API never return the page', async () => {
  const { ask } = open();
  for (const path of [
    '/api',
    '/api/v1',
    '/api/v1/nothing',
    '/api/dashboard/nothing',
    '/v1/nothing',
    '/health/nothing',
    '/metrics',
    '/openapi.json',
    '/assets/gone-1.js',
  ]) {
    const answer = await ask(path, BROWSER);
    assert.equal(answer.statusCode, 404, path);
    assert.equal(answer.json().error.code, 'not_found');
  }
  assert.equal((await ask('/chat/completions', BROWSER)).statusCode, 405);
  assert.equal((await ask('/health/live', BROWSER)).body, '{}');
});

test('a path of calls or of stored answers says which methods it accepts', async () => {
  const { server } = open();
  for (const [method, url, allow] of [
    ['GET', '/v1/responses', 'POST'],
    ['PUT', '/api/v1/responses/resp_1', 'GET, DELETE'],
    ['POST', '/v1/responses/resp_1', 'GET, DELETE'],
    ['DELETE', '/v1/responses/resp_1/cancel', 'POST'],
  ] as const) {
    const { statusCode, headers, body } = await server.inject({ method, url });
    assert.deepEqual([statusCode, headers['allow']], [405, allow], `${method} ${url}`);
    assert.match(body, new RegExp(`accepts ${allow}, not ${method}`));
  }
});

test('the page has its security headers', async () => {
  const { headers } = await open().ask('/', BROWSER);
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; report-uri /api/dashboard/csp-reports",
  );
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.match(String(headers['permissions-policy']), /camera=\(\)/);
  assert.equal(headers['cache-control'], 'no-cache');
});

test('hashed files are compressed and cached for ever', async () => {
  const { ask, server } = open();
  const path = '/assets/index-abc123.js';
  const brotli = await server.inject({ url: path, headers: { 'accept-encoding': 'gzip, deflate, br' } });
  assert.equal(brotli.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), SCRIPT);
  assert.equal(brotli.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(brotli.headers['vary'], 'Accept-Encoding');
  const gzip = await server.inject({ url: path, headers: { 'accept-encoding': 'br;q=0, gzip' } });
  assert.equal(gunzipSync(gzip.rawPayload).toString(), SCRIPT);
  assert.notEqual(gzip.headers['etag'], brotli.headers['etag']);
  const plain = await ask(path);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(plain.body, SCRIPT);

  const again = await ask(path, { 'accept-encoding': 'br', 'if-none-match': `"x", W/${brotli.headers['etag']}` });
  assert.deepEqual([again.statusCode, again.body], [304, '']);
  const small = await ask('/assets/theme-1.css', { 'accept-encoding': 'br' });
  assert.equal(small.headers['content-type'], 'text/css; charset=utf-8');
  assert.equal(small.headers['content-encoding'], undefined);
  assert.equal((await ask(`${path}.br`)).statusCode, 404);
});

test('only files of the dashboard are served, however a path is written', async () => {
  const { ask } = open();
  for (const path of [
    '/assets/../../../../etc/passwd',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/index.html',
    '/..%5c..%5cpackage.json',
    '/assets/notes.secret',
    '/assets/',
    '/assets',
    '//etc/passwd',
    '/assets/index-abc123.js%00.html',
  ]) {
    const answer = await ask(path);
    assert.ok(answer.statusCode === 404 || answer.statusCode === 400, `${path}: ${answer.statusCode}`);
    assert.doesNotMatch(answer.body, /root:|"dependencies"|not served/);
  }
});

test('the page refers to its files below any base path, compressed or not', async () => {
  const built = mkdtempSync(join(tmpdir(), 'turnpike-built-'));
  const html =
    '<meta name="base-path" content="" /><script src="./assets/a-1.js"></script><link href="./assets/b-2.css"><p>"./x"</p>';
  mkdirSync(join(built, 'assets'));
  writeFileSync(join(built, 'index.html'), html);
  writeFileSync(join(built, 'index.html.br'), brotliCompressSync(html));
  writeFileSync(join(built, 'index.html.gz'), gzipSync(html));
  try {
    for (const [basePath, base] of [
      ['', '/'],
      ['/llm', '/llm/'],
    ] as const) {
      const { server } = open(new DashboardFiles(built, { basePath }));
      const placed = `<meta name="base-path" content="${basePath}" /><script src="${base}assets/a-1.js"></script><link href="${base}assets/b-2.css"><p>"./x"</p>`;
      const get = (encoding: string) =>
        server.inject({ url: '/keys/12', headers: { ...BROWSER, 'accept-encoding': encoding } });
      assert.equal((await get('identity')).body, placed);
      assert.equal(brotliDecompressSync((await get('br')).rawPayload).toString(), placed);
      assert.equal(gunzipSync((await get('gzip')).rawPayload).toString(), placed);
      const policy = String((await get('br')).headers['content-security-policy']);
      assert.ok(policy.endsWith(`; report-uri ${basePath}/api/dashboard/csp-reports`), policy);
    }
  } finally {
    rmSync(built, { recursive: true });
  }
});

test('without a build the page says how to build it', async () => {
  const { ask } = open(new DashboardFiles(join(folder, 'missing')));
  const page = await ask('/', BROWSER);
  assert.equal(page.statusCode, 503);
  assert.match(page.body, /npm start/);
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  assert.equal((await ask('/')).statusCode, 200);
});

test('the management API is served at both doors', async () => {
  const { ask } = open();
  const headers = { cookie: `turnpike-session=${sessionToken('viewer')}` };
  assert.equal((await ask('/api/dashboard/keys', headers)).statusCode, 200);
  assert.equal((await ask('/api/dashboard/keys')).statusCode, 401);
  assert.equal((await ask('/api/v1/keys')).statusCode, 401);
  assert.equal((await ask('/control/api/keys')).statusCode, 404);
});

test('CSP violation reports are counted by directive, and logged once a minute', async () => {
  const { server, warned, clock } = open();
  const report = (payload: string, type = 'application/csp-report') =>
    server.inject({
      method: 'POST',
      url: '/api/dashboard/csp-reports',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload,
    });
  const inline =
    '{"csp-report":{"effective-directive":"script-src-elem","blocked-uri":"https://evil.example/?secret"}}';
  assert.equal((await report(inline)).statusCode, 204);
  assert.equal((await report(inline)).statusCode, 204);
  await report('[{"type":"csp-violation","body":{"effectiveDirective":"img-src"}}]', 'application/reports+json');
  await report('no json');
  await report('null');
  await report('{"csp-report":{"effective-directive":{"a":1}}}');
  clock.advance(60_000);
  await report(inline);
  assert.deepEqual(warned, [
    { directive: 'script-src-elem', count: 1 },
    { directive: 'img-src', count: 1 },
    { directive: 'other', count: 1 },
    { directive: 'script-src-elem', count: 3 },
  ]);
  assert.equal((await report('x'.repeat(20_000))).statusCode, 413);
  assert.equal((await report('a=b', 'application/x-www-form-urlencoded')).statusCode, 415);
});

test('each docs page has one address and its Markdown another, and unknown pages are 404', async () => {
  const built = mkdtempSync(join(tmpdir(), 'turnpike-docs-'));
  const page = '<meta name="base-path" content="../.." /><script src="../../assets/a-1.js"></script>';
  mkdirSync(join(built, 'docs/reference'), { recursive: true });
  for (const [name, text] of Object.entries({
    'index.html': '<div id="root"></div>',
    'docs/index.html': '<h1>Docs</h1>',
    'docs/404.html': '<meta name="base-path" content="" /><a href="./docs">Docs</a>',
    'docs/reference/errors.html': page,
    'docs/reference/errors.md': '# Errors',
    'docs/reference/config.html': page,
    'docs/reference/config.md': '# Configuration',
    'llms.txt': '- [Errors]({base}/docs/reference/errors.md)',
  }))
    writeFileSync(join(built, name), text);
  try {
    const publicUrl = 'https://models.example.com/llm/';
    const { ask } = open(new DashboardFiles(built, { basePath: '/llm', publicUrl }));
    for (const headers of [BROWSER, {}]) {
      const config = await ask('/docs/reference/config', headers);
      assert.equal(config.body, page);
      assert.match(String(config.headers['content-security-policy']), /default-src 'none'/);
      const markdown = await ask('/docs/reference/config.md', headers);
      assert.deepEqual(
        [markdown.body, markdown.headers['content-type']],
        ['# Configuration', 'text/markdown; charset=utf-8'],
      );
      const slash = await ask('/docs/reference/config/?x=1', headers);
      assert.deepEqual([slash.statusCode, slash.headers['location']], [308, '../config']);
      assert.equal((await ask('/docs/reference/errors', headers)).body, page);
      assert.equal((await ask('/docs/reference/config.html', headers)).statusCode, 404);
    }
    assert.equal((await ask('/docs', BROWSER)).body, '<h1>Docs</h1>');
    assert.equal((await ask('/docs/', BROWSER)).headers['location'], '../docs');
    assert.equal((await ask('/docs')).json().name, 'documents');

    const old = await ask('/docs/reference/errors.md', { ...BROWSER, 'sec-fetch-site': 'none' });
    assert.deepEqual([old.statusCode, old.headers['location']], [302, 'errors']);
    assert.equal((await ask('/docs/reference/errors.md')).body, '# Errors of the code');
    const linked = await ask('/docs/reference/errors.md', { ...BROWSER, 'sec-fetch-site': 'same-origin' });
    assert.equal(linked.body, '# Errors of the code');

    const missing = await ask('/docs/reference/nothing', BROWSER);
    assert.equal(missing.statusCode, 404);
    assert.equal(missing.body, '<meta name="base-path" content="/llm" /><a href="/llm/docs">Docs</a>');
    assert.equal((await ask('/docs/404', BROWSER)).statusCode, 404);
    assert.equal((await ask('/docs/reference/nothing')).json().error.code, 'not_found');
    assert.equal((await ask('/llms.txt')).body, '- [Errors](https://models.example.com/llm/docs/reference/errors.md)');
  } finally {
    rmSync(built, { recursive: true });
  }
});

test('a file stored only compressed is decompressed for a client that does not accept compression', async () => {
  const files = new DashboardFiles(folder);
  const { ask } = open(files);
  assert.equal((await ask('/assets/index-abc123.js')).body, SCRIPT);
  assert.ok(files.bytes < SCRIPT.length);
});
