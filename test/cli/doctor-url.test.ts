/**
 * Goal: `doctor --url` finds nothing to fix at a Turnpike that works, and each common fault of a proxy in front of it. Method: a real gateway
 * with its demo provider, and small proxies on loopback.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PROMPT } from '../../src/cli/commands/deployment/check-answers.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { ask } from '../dashboard/ask.ts';
import { type ProxyFault, startFaultyProxy } from '../support/faulty-proxy.ts';
import { startGateway, type TestGateway } from '../support/start-gateway.ts';

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly detail: string;
  readonly fix?: string;
}

let gateway: TestGateway;
before(async () => {
  gateway = await startGateway({ config: { demo: true } });
});
after(() => gateway.stop());

interface Examined {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

async function doctor(words: readonly string[], ask?: (question: string) => Promise<string>): Promise<Examined> {
  const [out, notes]: [string[], string[]] = [[], []];
  const code = await runCli(['doctor', ...words], {
    environment: {},
    cwd: gateway.dataFolder,
    terminal: {
      out: (line) => void out.push(line),
      note: (line) => void notes.push(line),
      colour: false,
      ...(ask === undefined ? {} : { ask }),
    },
    doors: {
      serve: () => assert.fail(),
      openApp: () => assert.fail(),
      now: () => Date.now(),
      wait: () => assert.fail(),
    },
  });
  return { code, out: out.join('\n'), notes: notes.join('\n') };
}

/** The findings that are neither good nor skipped. */
async function troubles(fault: ProxyFault): Promise<{ readonly code: number; readonly found: readonly Finding[] }> {
  const proxy = await startFaultyProxy(gateway.url, fault);
  try {
    const { code, out } = await doctor(['--url', proxy.url, '--key', gateway.key, '--json', '--yes']);
    const { data } = JSON.parse(out) as { data: readonly Finding[] };
    const found = data.filter(({ state }) => state === 'warn' || state === 'fail');
    for (const { name, fix } of found) assert.ok(fix?.endsWith('.'), `${name} says how to fix it`);
    return { code, found };
  } finally {
    await proxy.close();
  }
}

const named = (found: readonly Finding[]) => found.map(({ name }) => name);

test('at a Turnpike that works there is nothing to fix, and what is spent is below what was announced', async () => {
  const before = await spent();
  const { code, out, notes } = await doctor(['--url', gateway.url, '--key', gateway.key, '--yes']);
  assert.equal(code, 0, out);
  assert.match(out, /Nothing to fix\.$/);
  assert.doesNotMatch(out, /^(warn|fail|skip)/m);
  for (const name of [
    'reachable',
    'TLS',
    'keep-alive',
    'key',
    'models',
    'Messages, route',
    'Chat Completions, route',
    'Responses, route',
    'Messages, streamed',
    'Gemini, whole',
    'Responses, whole',
  ])
    assert.match(out, new RegExp(`^ok {4}${name}: `, 'm'));
  assert.match(out, /Messages, second-turn cache hit: \d+ tokens/);
  assert.match(out, /Messages, thinking over two turns: signed thoughts/);
  const [, announced] = /at most \$(\d+\.\d+)/.exec(notes) ?? assert.fail(notes);
  const used = (await spent()) - before;
  assert.ok(used > 0 && used <= Number(announced), `${used} of ${announced}`);
  assert.ok(!`${out}${notes}`.includes(gateway.key));
});

describe('behind a proxy', { concurrency: true }, () => {
  test('a proxy that buffers answers is found by the times at which they arrive', async () => {
    const { code, found } = await troubles({ buffers: true });
    assert.equal(code, 1);
    assert.deepEqual(
      found.filter(({ detail }) => detail.startsWith('held back')).map(({ name }) => name),
      ['Messages, streamed', 'Chat Completions, streamed', 'Responses, streamed', 'Gemini, streamed'],
    );
  });

  test('a proxy that removes headers is found, and which ones', async () => {
    const [asked, answered] = await Promise.all([
      troubles({ stripsFromRequests: ['x-api-key', 'anthropic-version'] }),
      troubles({ stripsFromAnswers: ['request-id', 'x-request-id'] }),
    ]);
    assert.equal(asked.code, 1);
    assert.ok(named(asked.found).includes('models'));
    assert.ok(asked.found.some(({ name, fix }) => name === 'Messages, whole' && fix?.includes('x-api-key')));
    assert.deepEqual([answered.code, named(answered.found)], [0, ['headers of answers']]);
  });

  test('a proxy with a short idle limit is found by the stream that it cuts', async () => {
    const { code, found } = await troubles({ idleMs: 15 });
    assert.equal(code, 1);
    const cut = found.filter(({ detail }) => detail.startsWith('cut off'));
    assert.ok(cut.length > 0, JSON.stringify(found));
  });

  test('a proxy that limits bodies, hides errors or closes connections is found', async () => {
    const [small, hidden, closed] = await Promise.all([
      troubles({ bodyBytesMax: 1024 * 1024 }),
      troubles({ hidesErrors: true }),
      troubles({ closes: true }),
    ]);
    assert.deepEqual(named(small.found), ['large request']);
    assert.ok(named(hidden.found).includes('errors'));
    assert.deepEqual([closed.code, named(closed.found)], [0, ['keep-alive']]);
  });
});

test('a Turnpike below a path of a host is examined there', async () => {
  const proxy = await startFaultyProxy(gateway.url, { below: '/llm' });
  const { code, out } = await doctor(['--url', `${proxy.url}/llm/`, '--key', gateway.key, '--yes']);
  const above = await doctor(['--url', proxy.url, '--key', gateway.key, '--yes']);
  await proxy.close();
  assert.equal(code, 0, out);
  assert.deepEqual([above.code, /something else answers, with status 404/.test(above.out)], [1, true]);
});

test('a certificate that clients do not trust is named, with what to do', async () => {
  for (const [certificate, code, fix] of [
    ['unknown', /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET/, /authority that clients trust/],
    ['expired', /CERT_HAS_EXPIRED|UNABLE_TO|SELF_SIGNED/, /Renew the certificate|authority that clients trust/],
  ] as const) {
    const proxy = await startFaultyProxy(gateway.url, { certificate });
    const examined = await doctor(['--url', proxy.url, '--key', gateway.key, '--yes']);
    await proxy.close();
    assert.equal(examined.code, 1);
    assert.match(examined.out, code);
    assert.match(examined.out, fix);
  }
});

test('before it spends, it says who would serve; if nobody would, it says why and spends nothing', async () => {
  const { out } = await doctor(['--url', gateway.url, '--key', gateway.key], async () => 'n');
  const [, bound] =
    /^ok {4}Messages, route: demo; at most \$(\d+\.\d+) for a short call$/m.exec(out) ?? assert.fail(out);
  const planned = await gateway.fetch('/v1/messages/route', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo/lorem', messages: [{ role: 'user', content: PROMPT }], max_tokens: 160 }),
  });
  const { data } = (await planned.json()) as { data: { max_cost: number } };
  assert.ok(Math.abs(Number(bound) - data.max_cost) / data.max_cost < 0.2, `${bound}, ${data.max_cost}`);
  const made = await ask(join(gateway.dataFolder, 'control.sock'), {
    ...{ method: 'POST', path: '/control/api/keys' },
    body: { name: 'poor', limits: { budgets: { day: '0.000001' } } },
  });
  assert.equal(made.status, 201, made.text);
  const key = String(made.json.key);
  const examined = await doctor(['--url', gateway.url, '--key', key, '--yes', '--json']);
  const report = JSON.parse(examined.out) as { data: readonly Finding[]; calls: number };
  const routes = report.data.filter(({ name }) => name.endsWith(', route'));
  assert.deepEqual([examined.code, report.calls], [1, 0]);
  assert.deepEqual(named(routes), ['Messages, route', 'Chat Completions, route', 'Responses, route']);
  for (const { detail, fix } of routes) {
    assert.equal(detail, 'nobody would serve a call: demo (unaffordable)');
    assert.equal(fix, 'Top up the account, or raise the budget.');
  }
});

test('nothing is spent without a yes, and a wrong URL or key is said at once', async () => {
  const before = await spent();
  const asked: string[] = [];
  const answer = (word: string) => async (question: string) => {
    asked.push(question);
    return word;
  };
  const [url, key] = [
    ['--url', gateway.url],
    ['--key', gateway.key],
  ] as const;
  assert.equal((await doctor([...url, ...key], answer('n'))).code, 2);
  assert.match(asked.join(), /14 calls of demo\/lorem and spends at most \$\d/);
  const unasked = await doctor([...url, ...key]);
  assert.deepEqual([unasked.code, /--yes/.test(unasked.notes)], [2, true]);
  assert.equal(await spent(), before);
  for (const words of [
    [...url],
    ['--url', 'llm.example.com', ...key],
    ['--url', 'http://user:word@127.0.0.1', ...key],
    ['--url', 'ftp://127.0.0.1', ...key],
  ])
    assert.equal((await doctor(words)).code, 2, words.join(' '));
  const wrong = await doctor([...url, '--key', 'sk-tp-wrong', '--yes']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /fail {2}key: refused with 401/);
  const nobody = await doctor(['--url', 'http://127.0.0.1:9', ...key, '--yes']);
  assert.deepEqual([nobody.code, /no answer: ECONNREFUSED/.test(nobody.out)], [1, true]);
  assert.equal((await doctor([...url, ...key, '--model', 'no/such', '--yes'])).code, 1);
});

/** USD. */
async function spent(): Promise<number> {
  const answer = await gateway.fetch('/api/v1/key');
  return ((await answer.json()) as { data: { usage: number } }).data.usage;
}
