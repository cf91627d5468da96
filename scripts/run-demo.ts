/**
 * The whole main job in a few seconds, against the built-in provider: `npm run demo`. Starts the
 * program on a free port with a temporary data folder, makes a call of every kind, and prints what
 * came back. Exits 1 when anything was not as it should be.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';

interface Step {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

interface Outcome {
  /** What came back, in a few words. */
  readonly saw: string;
  readonly status: number | null;
  readonly isRight: boolean;
}

const startedMs = performance.now();
const folder = await mkdtemp(join(tmpdir(), 'turnpike-demo-'));
const { config } = loadConfig({
  flags: { port: '0', data: join(folder, 'data'), 'log-level': 'silent' },
  environment: { DEMO: 'true' },
  cwd: folder,
});
const app = await openApp(config);
try {
  const { url } = await app.listen();
  process.exitCode = (await runSteps(steps(app, url))) ? 0 : 1;
} finally {
  await app.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${process.exitCode === 0 ? 'All is well' : 'FAILED'} after ${seconds(performance.now() - startedMs)} s.`);

async function runSteps(all: readonly Step[]): Promise<boolean> {
  let isRight = true;
  for (const step of all) {
    const stepMs = performance.now();
    const outcome = await step.run();
    const tookMs = (performance.now() - stepMs).toFixed(1);
    console.log(
      [outcome.isRight ? '✓' : '✗', step.name.padEnd(31), String(outcome.status ?? '').padEnd(4), tookMs.padStart(7)]
        .concat(['ms', ` ${outcome.saw}`])
        .join(' '),
    );
    isRight &&= outcome.isRight;
  }
  return isRight;
}

function steps(opened: App, url: string): readonly Step[] {
  const key = opened.firstRun?.secret.reveal() ?? '';
  const ask = (path: string, body?: object) => request(url, key, path, body);
  const chat = (fields: object) => ask('/api/v1/chat/completions', fields);
  const message = (fields: object) => ask('/v1/messages', { max_tokens: 1000, ...fields });
  const say = (content: string) => [{ role: 'user', content }];
  return [
    {
      name: 'a first key',
      run: async () => ({ saw: opened.firstRun?.key.label ?? 'none', status: null, isRight: key !== '' }),
    },
    {
      name: 'chat',
      run: () => expect(chat({ model: 'demo/echo', messages: say('Hello') }), 200, /"content":"(Hello)"/),
    },
    {
      name: 'chat, streamed',
      run: () =>
        expect(chat({ model: 'demo/lorem', messages: say('tokens=20 rate=0'), stream: true }), 200, /data: (\[DONE\])/),
    },
    {
      name: 'messages',
      run: () => expect(message({ model: 'demo/echo', messages: say('Hello') }), 200, /"text":"(Hello)"/),
    },
    {
      name: 'messages, streamed',
      run: () =>
        expect(
          message({ model: 'demo/lorem', messages: say('tokens=20 rate=0'), stream: true }),
          200,
          /event: (message_stop)/,
        ),
    },
    {
      name: 'a tool is called',
      run: () => {
        const declared = { name: 'get_weather', parameters: { type: 'object', properties: {} } };
        const tools = [{ type: 'function', function: declared }];
        return expect(chat({ model: 'demo/tools', messages: say('go'), tools }), 200, /"finish_reason":"(tool_calls)"/);
      },
    },
    {
      name: "an error in OpenAI's format",
      run: () => expect(chat({ model: 'demo/ecko', messages: say('Hello') }), 404, /"code":"(model_not_found)"/),
    },
    {
      name: "an error in Anthropic's format",
      run: () =>
        expect(message({ model: 'demo/flaky', messages: say('429') }), 429, /"error":\{"type":"(rate_limit_error)"/),
    },
    { name: 'the key and its balance', run: () => expect(ask('/api/v1/key'), 200, /("balance":[^,}]+)/) },
    { name: 'the models', run: () => expect(ask('/api/v1/models'), 200, /"id":"(demo\/echo)"/) },
    { name: 'the records', run: () => readRecords(opened) },
    {
      name: 'the key, revoked',
      run: async () => {
        await opened.control.inject({ method: 'DELETE', url: `/control/keys/${opened.firstRun?.key.id}` });
        return expect(chat({ model: 'demo/echo', messages: say('Hello') }), 401, /"code":"(invalid_api_key)"/);
      },
    },
  ];
}

function request(url: string, key: string, path: string, body?: object): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
  };
  return fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) });
}

/** `telling` finds, in its first group, what is worth showing. */
async function expect(pending: Promise<Response>, status: number, telling: RegExp): Promise<Outcome> {
  const response = await pending;
  const text = await response.text();
  const saw = telling.exec(text)?.[1];
  return {
    saw: saw ?? text.slice(0, 200),
    status: response.status,
    isRight: response.status === status && saw !== undefined,
  };
}

/** Calls that were admitted have a row; the unknown model was not. */
async function readRecords(opened: App): Promise<Outcome> {
  await opened.gateway.records.drain();
  const records = await opened.gateway.records.tail({ after: null, limit: 100 });
  const nano = records.reduce((sum, record) => sum + record.charge, 0n);
  const saw = `${records.length} calls, ${nano} nano-USD charged`;
  return { saw, status: null, isRight: records.length >= 6 && nano > 0n };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
