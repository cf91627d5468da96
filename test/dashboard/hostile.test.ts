/**
 * Goal: what people and callers write is shown as text to everybody, and an odd request gets a clear refusal
 * and bypasses nothing. Method: the real program; texts that are markup, formulas and other parsers' syntax in every
 * stored field; paths, methods and bodies that two readers could interpret differently.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { DOOR_PREFIXES } from '../../src/api/management/door/mount.ts';
import { nextPath } from '../../web/src/pages/sign-in/next-path.ts';
import { OPEN_MODEL } from '../support/open-gateway.ts';
import { type Asked, ask, codeOf, type Reply } from './ask.ts';
import { bearer, good, openTown, type Town } from './two-accounts.ts';

const MARKUP = `"><img src=x onerror=alert(1)></script><script>alert('x')</script>`;
const LINK = 'javascript:alert(1)//';

let town: Town;
before(async () => {
  town = await openTown();
});
after(() => town.close());

const owner = (method: string, path: string, body?: object, headers: Asked['headers'] = {}) =>
  town.b.people.owner.browser.ask(method, path, body, headers);

describe('what is stored and shown', () => {
  test('comes back as JSON that no browser takes for a page, character by character', { timeout: 20_000 }, async () => {
    const { browser, email } = town.b.people.developer;
    const sent = { 'user-agent': MARKUP.replace('>', '') };
    good(await browser.ask('POST', '/session', { email, password: 'a horse in the rain' }, sent));
    good(await owner('PATCH', '/profile', { name: MARKUP }));
    good(await owner('PATCH', '/account', { name: MARKUP, capture: { on: true, redact: false } }));
    const project = good(await owner('POST', '/projects', { name: MARKUP })).json.data;
    const made = good(await owner('POST', '/keys', { name: MARKUP, project: project.id })).json;
    good(await owner('POST', '/keys', { name: LINK }));
    const mail = `<img-onerror=alert>&'@example.com`;
    const invited = await owner('POST', '/invitations', { email: mail });
    assert.equal(invited.status, 400, 'an address with brackets is invalid');
    good(
      await town.control('POST', `/balance/entries?account=${town.b.id}`, {
        amount: '1',
        reference: MARKUP,
        note: MARKUP,
      }),
    );
    const recorded = town.bench.nextRecord();
    const called = await town.bench.post(
      '/api/v1/chat/completions',
      { model: OPEN_MODEL, max_tokens: 9, messages: [{ role: 'user', content: MARKUP }] },
      bearer(made.key) as Record<string, string>,
    );
    await called.text();
    const { callId } = await recorded;
    const unknown = await town.bench.post(
      '/api/v1/chat/completions',
      { model: MARKUP, max_tokens: 9, messages: [{ role: 'user', content: MARKUP }] },
      bearer(made.key) as Record<string, string>,
    );
    assert.match(unknown.headers.get('content-type') ?? '', /^application\/json/);

    const shown = await Promise.all(
      [
        '/account',
        '/members',
        '/projects',
        '/keys',
        `/keys/${made.data.id}`,
        '/ledger',
        '/calls',
        `/calls/gen-${callId}`,
        `/calls/gen-${callId}/bodies`,
        '/audit',
        '/profile',
        '/session',
      ].map(async (path) => ({ path, reply: await owner('GET', path) })),
    );
    for (const { path, reply } of shown) {
      assert.equal(reply.status, 200, path);
      assertNoPage(reply, path);
    }
    const all = shown.map(({ reply }) => JSON.stringify(reply.json)).join();
    assert.ok(all.includes(JSON.stringify(MARKUP).slice(1, -1)));
    const sessions = good(await browser.ask('GET', '/profile/sessions'));
    assert.ok(sessions.text.includes('onerror'));
    assertNoPage(sessions, 'sessions');
  });

  test('control characters and direction overrides are allowed in no name, note or address', async () => {
    for (const bad of ['a\u0000b', 'a\u001b[2Jb', 'a\u202eb', 'a\nb', 'a\u2028b', 'a\u0085b']) {
      const tries: Reply[] = [
        await owner('POST', '/keys', { name: bad }),
        await owner('POST', '/projects', { name: bad }),
        await owner('PATCH', '/account', { name: bad }),
        await owner('PATCH', '/profile', { name: bad }),
        await owner('POST', '/invitations', { email: `${bad}@example.com` }),
        await owner('POST', '/session', { email: `${bad}@example.com`, password: 'x' }),
        await town.control('POST', `/balance/entries?account=${town.b.id}`, { amount: '1', reference: bad }),
        await town.control('POST', `/balance/entries?account=${town.b.id}`, { amount: '1', reference: 'r', note: bad }),
        await town.control('POST', '/accounts', { name: bad }),
        await town.control('POST', '/providers', { name: bad, kind: 'openai' }),
        await town.control('POST', '/providers', {
          name: 'odd',
          kind: 'custom',
          origin: 'http://127.0.0.1:9',
          dialects: ['openai-chat'],
          model_settings: [{ upstream: bad }],
        }),
      ];
      for (const [index, reply] of tries.entries())
        assert.equal(reply.status, 400, `${index} ${JSON.stringify(bad)} ${reply.text}`);
    }
  });

  test('a table for a spreadsheet contains no formula that a person typed', async () => {
    for (const [index, bad] of [
      '=HYPERLINK("http://evil.example")',
      '+1+1',
      '-1+1|x',
      '@SUM(1)',
      '\u0009=1',
      '＝1',
    ].entries()) {
      const body = { amount: '1', reference: `formula-${index}`, note: bad };
      const reply = await town.control('POST', `/balance/entries?account=${town.b.id}`, body);
      if (reply.status !== 201) assert.equal(reply.status, 400, reply.text);
    }
    const table = good(await owner('GET', '/ledger?format=csv'));
    assert.match(String(table.headers['content-type']), /^text\/csv/);
    assert.match(String(table.headers['content-disposition']), /^attachment; filename="[\w.-]+"$/);
    assertNoPage(table, 'a table');
    for (const line of table.text.split('\r\n'))
      for (const cell of line.match(/("([^"]|"")*"|[^,]*)/g) ?? [])
        if (!/^"?-?\d+(\.\d+)?"?$/.test(cell)) assert.doesNotMatch(cell, /^"?[=+\-@\t＝]/, line);
    assert.ok(table.text.includes(`'=HYPERLINK`));
  });
});

describe('headers', () => {
  test('every answer declares its type, and forbids sniffing', async () => {
    const cookie = town.b.people.owner.browser.head();
    const key = bearer(town.b.keys.active.secret);
    const html = { accept: 'text/html' };
    const asked: readonly Asked[] = [
      { path: '/' },
      { path: '/', headers: html },
      { path: '/keys', headers: html },
      { path: '/no/such/page', headers: html },
      { path: '/no/such/page' },
      { path: '/openapi.json' },
      { path: '/metrics' },
      { path: '/health' },
      { path: '/docs/reference/errors.md' },
      { path: '/docs', headers: html },
      { path: '/api/v1/models', headers: key },
      { path: '/api/v1/key', headers: key },
      { path: '/api/v1/key' },
      { path: '/api/v1/no-such-thing', headers: key },
      { path: '/api/v1/keys', headers: bearer(town.b.keys.management.secret) },
      { path: '/api/v1/keys', headers: key },
      { path: '/api/dashboard/keys', headers: cookie },
      { path: '/api/dashboard/keys' },
      { path: '/api/dashboard/no-such-thing', headers: { ...cookie, ...html } },
      { path: '/api/dashboard/keys', method: 'PUT', headers: { ...cookie, 'sec-fetch-site': 'same-origin' } },
      { path: '/api/dashboard/csp-reports', method: 'POST', body: 'x', headers: { 'content-type': 'text/html' } },
      { path: '/api/dashboard/csp-reports', method: 'POST', body: {} },
      { path: '/assets/none.js' },
    ];
    for (const each of asked) {
      const reply = await ask(town.url, each);
      const about = `${each.method ?? 'GET'} ${each.path} ${reply.status} ${JSON.stringify(reply.headers)}`;
      assert.equal(reply.headers['x-content-type-options'], 'nosniff', about);
      assert.equal(reply.headers['x-powered-by'], undefined, about);
      assert.equal(reply.headers['server'], undefined, about);
      if (String(reply.headers['content-type']).startsWith('text/html')) {
        const policy = String(reply.headers['content-security-policy']);
        assert.match(policy, /default-src 'none'/, about);
        assert.match(policy, /frame-ancestors 'none'/, about);
        assert.match(policy, /base-uri 'none'/, about);
        assert.match(policy, /form-action 'self'/, about);
        assert.doesNotMatch(policy, /unsafe|\*|https?:/, about);
        assert.equal(reply.headers['referrer-policy'], 'no-referrer', about);
      }
      if (each.path.startsWith('/api/dashboard/keys')) assert.equal(reply.headers['cache-control'], 'no-store', about);
    }
  });
});

describe('ways around', () => {
  test('an oddly written path leads nowhere else', async () => {
    const cookie = town.b.people.owner.browser.head();
    const paths = [
      '/api/dashboard/../v1/keys',
      '/api/v1/../dashboard/keys',
      '/api/dashboard/./keys',
      '/api/dashboard//keys',
      '//api/dashboard/keys',
      '/api/dashboard%2fkeys',
      '/api%2Fdashboard/keys',
      '/api/dashboard/%6beys/..',
      '/api/dashboard/keys.',
      '/api/dashboard/keys%00',
      '/api/dashboard/keys%20',
      '/api/dashboard/keys;a=b',
      '/API/dashboard/keys',
      '/api/Dashboard/keys',
      '/api/dashboard/KEYS',
      '/api/dashboard\\keys',
      '/control/api/keys',
      '/api/dashboard/../../control/api/keys',
      '/api/dashboard/%2e%2e/%2e%2e/control/api/accounts',
      '/api/dashboard/../accounts',
      '/assets/../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/index.html',
      '/../../etc/passwd',
      '/api/dashboard/keys/..%2f..%2fcontrol%2fapi%2fkeys',
    ];
    for (const path of paths) {
      const reply = await ask(town.url, { path, headers: cookie });
      assert.ok([400, 404].includes(reply.status), `${path} ${reply.status} ${reply.text.slice(0, 200)}`);
      assertNoPage(reply, path);
    }
    for (const path of ['http://evil.example/api/dashboard/keys', '*', 'api/dashboard/keys'])
      assert.ok((await ask(town.url, { path, headers: cookie })).status >= 400, path);
  });

  test('nothing redirects a browser to another site', async () => {
    const evil = [
      '//evil.example',
      '/\\evil.example',
      '/%2f%2fevil.example',
      '/%5cevil.example',
      '/sign-in/',
      '/keys//',
    ];
    const asked = ['/sign-in', '/', '/api/dashboard/session'].map(
      (path) => `${path}?next=//evil.example&return=https:evil.example`,
    );
    for (const path of [...evil, ...asked]) {
      const headers = { ...town.b.people.owner.browser.head(), accept: 'text/html', host: 'evil.example' };
      const reply = await ask(town.url, { path, headers });
      assert.ok(reply.status < 300 || reply.status >= 400, `${path} ${reply.status}`);
      assert.equal(reply.headers.location, undefined);
      assert.equal(reply.headers['refresh'], undefined);
      assert.equal(reply.text.includes('evil'), false, path);
    }
    // The page itself: where a redirect after signing in leads.
    const leads = [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https:evil.example',
      'https:/evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      '\t//evil.example',
      '/%0a/evil.example/..//evil.example',
      '/..//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      ' //evil.example',
      '@evil.example',
      '.evil.example',
      '',
    ];
    for (const next of leads) {
      const path = nextPath(`?next=${encodeURIComponent(next)}`);
      const address = new URL(path, 'https://gateway.example/sign-in');
      assert.equal(address.host, 'gateway.example', `${next} leads to ${path}`);
      assert.equal(address.protocol, 'https:');
      assert.doesNotMatch(path, /^(\/\/|\/\\)/, next);
    }
  });

  test('the method is that of the request line, whatever a header or a query says', async () => {
    const { browser } = town.b.people.owner;
    const id = town.b.keys.active.id;
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override', '_method'])
      assert.equal((await browser.ask('GET', `/keys/${id}`, undefined, { [name]: 'DELETE' })).status, 200);
    assert.equal((await browser.ask('GET', `/keys/${id}?_method=DELETE`)).status, 400);
    assert.equal(
      (await browser.ask('POST', `/keys/${id}`, { _method: 'DELETE' }, { 'x-http-method-override': 'DELETE' })).status,
      405,
    );
    assert.equal(good(await browser.ask('GET', `/keys/${id}`)).json.data.revoked_at, null);
    const rewritten = {
      'x-original-url': '/control/api/keys',
      'x-rewrite-url': '/control/api/keys',
      'x-forwarded-prefix': '/x',
    };
    assert.deepEqual((await browser.ask('GET', `/keys/${id}`, undefined, rewritten)).json.data.id, id);
    for (const method of ['TRACE', 'CONNECTX', 'PROPFIND', 'PUT', 'OPTIONS'])
      assert.ok(
        (
          await ask(town.url, { method, path: '/api/dashboard/keys', headers: browser.head() }).catch(() => ({
            status: 400,
          }))
        ).status >= 400,
      );
  });

  test('a body that is too large, too deep, or of another shape is refused, and breaks nothing', {
    timeout: 20_000,
  }, async () => {
    const { browser } = town.b.people.owner;
    const send = (body: string, headers: Record<string, string> = {}) =>
      ask(town.url, {
        method: 'POST',
        path: '/api/dashboard/projects',
        headers: { ...browser.head(), 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...headers },
        body,
      });
    const deep = 100_000;
    const refused: readonly [string, number][] = [
      [`{"name":"${'x'.repeat(300_000)}"}`, 413],
      [`{"name":${'['.repeat(deep)}${']'.repeat(deep)}}`, 400],
      [`${'['.repeat(deep)}${']'.repeat(deep)}`, 400],
      [`{"name":"x","limits":${'{"budgets":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 400],
      ['{"name":"x","__proto__":{"limits":{"budgets":{}}},"constructor":{"prototype":{"x":1}}}', 400],
      ['{"name":"x","constructor":{"prototype":{"polluted":1}}}', 400],
      ['{"name":"x","toString":"y"}', 400],
      ['{"name":["x"]}', 400],
      ['{"name":{"toString":"x"}}', 400],
      ['{"name":null}', 400],
      ['{"name":1}', 400],
      ['{"name":"x","permissions":{"ips":"127.0.0.1"}}', 400],
      ['{"name":"x","permissions":{"ips":[["127.0.0.1"]]}}', 400],
      ['{"name":"x","limits":{"requests_per_minute":"5"}}', 400],
      ['{"name":"x","limits":{"requests_per_minute":1e400}}', 400],
      ['{"name":"x","limits":{"budgets":{"day":"1e9"}}}', 400],
      ['{"name":"x","limits":{"budgets":{"day":"-1"}}}', 400],
      ['{"name":"First","name":"Second"}', 400],
      ['{"name":"x","limits":{"budgets":{"day":"1","\\u0064ay":"2"}}}', 400],
      ['[]', 400],
      ['"name"', 400],
      ['null', 400],
      ['{"name":"x"', 400],
      ['\u0000', 400],
      ['{"name":"\\u0000"}', 400],
      ['', 400],
    ];
    const before = good(await owner('GET', '/projects')).json.data.length;
    for (const [body, status] of refused) {
      const reply = await send(body);
      assert.equal(reply.status, status, `${body.slice(0, 80)} ${reply.text.slice(0, 200)}`);
      assert.ok(reply.text.length < 2_000, body.slice(0, 80));
    }
    assert.equal((await send('{"name":"x"}', { 'content-encoding': 'gzip' })).status, 415);
    assert.equal(({} as { limits?: unknown; polluted?: unknown }).polluted, undefined);
    assert.equal(good(await owner('GET', '/projects')).json.data.length, before);
    const proto = await send('{"name":"Proto","__proto__":{"archived":true}}');
    if (proto.status !== 400) assert.equal(proto.json.data.archived_at, null);
  });

  test('a policy violation report, which anybody may send, never causes a server error', async () => {
    const odd: readonly unknown[] = [
      { toString: 1, valueOf: 1 },
      { toString: null },
      [[]],
      1e308,
      null,
      'x'.repeat(9_000),
      { split: 1 },
      ['script-src'],
    ];
    for (const value of odd) {
      const bodies = [
        { 'csp-report': { 'effective-directive': value } },
        [{ body: { effectiveDirective: value } }],
        { 'csp-report': value },
        { body: value },
      ];
      for (const body of bodies) {
        const reply = await ask(town.url, { method: 'POST', path: '/api/dashboard/csp-reports', body });
        assert.equal(reply.status, 204, `${JSON.stringify(body).slice(0, 100)} ${reply.text}`);
      }
    }
    for (const body of ['', '{', '[]', '[null]', 'null', '[1,"a",[]]', `${'['.repeat(9_000)}`]) {
      const reply = await ask(town.url, {
        method: 'POST',
        path: '/api/dashboard/csp-reports',
        body,
        headers: { 'content-type': 'application/csp-report' },
      });
      assert.equal(reply.status, 204, body.slice(0, 100));
    }
    const large = await ask(town.url, {
      method: 'POST',
      path: '/api/dashboard/csp-reports',
      body: { x: 'x'.repeat(20_000) },
    });
    assert.equal(large.status, 413);
  });

  test('odd parameters are 400 or 404 on every route, and never a server error', { timeout: 30_000 }, async () => {
    const odd = [
      '0',
      '-1',
      '1e3',
      '0x10',
      '1.5',
      ' 1',
      '9'.repeat(16),
      '9'.repeat(40),
      '9007199254740993',
      '',
      '%00',
      '%0a',
      '%F0%9F%98%80',
      "1'--",
      '1 OR 1=1',
      '[object Object]',
      '__proto__',
      'constructor',
      '..',
      'x'.repeat(3_000),
      `gen-${'7'.repeat(26)}`,
      `gen-${'z'.repeat(26)}`,
      'null',
      'NaN',
      'Infinity',
    ];
    const asks: { about: string; method: string; path: string }[] = [];
    for (const { name, route } of contractRoutes) {
      if (!route.doors.includes('management') || route.also === 'text/event-stream') continue;
      const fields = Object.keys((route.query as { shape?: object }).shape ?? {});
      const base = name === 'readUsage' ? 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&' : '';
      const good = route.path.replaceAll(/:\w+/g, '1');
      const odds = odd.map((each) => (/^%/.test(each) ? each : encodeURIComponent(each)));
      for (const value of odds) {
        if (route.path.includes(':') && route.method !== 'POST')
          asks.push({ about: name, method: route.method, path: route.path.replaceAll(/:\w+/g, value) });
        if (route.method !== 'GET') continue;
        for (const field of fields)
          asks.push({ about: `${name} ${field}`, method: 'GET', path: `${good}?${base}${field}=${value}` });
      }
      if (route.method === 'GET') {
        for (const field of fields)
          for (const more of [
            `${field}=1&${field}=2`,
            `${field}[]=1`,
            `${field}[x]=1`,
            `__proto__=1`,
            `${field}=%zz`,
            `${field}=%C0%AF`,
          ])
            asks.push({ about: `${name} ${more}`, method: 'GET', path: `${good}?${base}${more}` });
      }
    }
    const headers = bearer(town.a.keys.management.secret);
    for (let from = 0; from < asks.length; from += 20) {
      await Promise.all(
        asks.slice(from, from + 20).map(async ({ about, method, path }) => {
          const body = method === 'PATCH' ? {} : undefined;
          const reply = await ask(town.url, { method, path: DOOR_PREFIXES.management + path, headers, body });
          assert.ok(reply.status < 500, `${about} ${path.slice(0, 120)} ${reply.status} ${reply.text.slice(0, 300)}`);
          assertNoPage(reply, `${about} ${path.slice(0, 100)} ${reply.status} ${reply.text.slice(0, 300)}`);
          if (/=1&\w+=2$|\[\]=|\[x\]=|__proto__=/.test(path))
            assert.equal(reply.status, 400, `${about} ${path} ${reply.status}`);
        }),
      );
    }
    assert.ok(asks.length > 1_000, `${asks.length}`);
    assert.deepEqual(
      town.bench.log.filter((line) => line.includes('"failed"')),
      [],
    );
  });

  test('a provider’s address and credential cannot smuggle anything', async () => {
    const provider = { kind: 'custom', dialects: ['openai-chat'] };
    const odd: readonly object[] = [
      { ...provider, origin: 'file:///etc/passwd' },
      { ...provider, origin: 'javascript:alert(1)' },
      { ...provider, origin: 'http://user:password@127.0.0.1:9' },
      { ...provider, origin: 'http://127.0.0.1:9', credential: 'abc\r\nx-evil: 1' },
      { ...provider, origin: 'http://127.0.0.1:9/?a=b' },
    ];
    for (const body of odd) {
      const reply = await town.control('POST', '/providers', { name: 'odd', ...body });
      assert.equal(reply.status, 400, `${JSON.stringify(body)} ${reply.text}`);
      assert.doesNotMatch(reply.text, /x-evil|user:password/);
      assert.equal(codeOf(reply), 'invalid_value');
      assert.equal((await town.control('POST', '/provider-tests', body)).status, 400, JSON.stringify(body));
    }
  });
});

/** A script that a browser would not run. */
function assertNoPage({ headers, text }: Reply, about: string): void {
  if (text === '') return;
  assert.equal(headers['x-content-type-options'], 'nosniff', about);
  assert.match(String(headers['content-type']), /^(application\/json|text\/csv|text\/plain)/, about);
}
