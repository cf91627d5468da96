/** What `npm run demo` does, step by step, and the expected result of each; every answer is from the built-in provider. */
import type { App } from '../src/app/app.ts';
import { OPERATIONS_SETTLED, operationSteps } from './demo-operations.ts';
import { expect, type Outcome, type Step } from './demo-step.ts';

/** In this order: later ones use the key that the first one creates. */
export function steps(app: App, url: string): readonly Step[] {
  let key = { id: 0, secret: '' };
  const send = (path: string, body?: object, options: SendOptions = {}) =>
    request(url + path, { key: options.key ?? key.secret, headers: options.headers ?? {}, body });
  const sendForm = (path: string, body: FormData) =>
    fetch(url + path, { method: 'POST', headers: { authorization: `Bearer ${key.secret}` }, body });
  const chat = (fields: object, options?: SendOptions) => send('/api/v1/chat/completions', fields, options);
  const message = (fields: object, options?: SendOptions) =>
    send('/v1/messages', { max_tokens: 1000, ...fields }, options);
  const responses = (fields: object) => send('/api/v1/responses', fields);
  const google = (operation: string, text: string) =>
    send(`/v1beta/models/demo/${operation}`, { contents: [{ parts: [{ text }] }] });
  const hello = { model: 'demo/echo', messages: say('Hello') };
  const lorem = { model: 'demo/lorem', messages: say('tokens=20 rate=0'), stream: true };
  const limited = async (limits: object) =>
    (await control(app, 'POST', '/control/api/keys', { project: 'demo', limits })).key as string;
  return [
    {
      name: 'a project, and a key for it',
      balance: 'stays',
      run: async () => {
        await control(app, 'POST', '/control/api/projects', { name: 'demo' });
        const { data, key: secret } = await control(app, 'POST', '/control/api/keys', { project: 'demo' });
        key = { id: data.id, secret };
        return { saw: data.label, status: null, isRight: secret.startsWith('sk-tp-') };
      },
    },
    { name: 'chat', balance: 'charged', run: () => expect(chat(hello, ONCE), 200, /"content":"(Hello)"/) },
    {
      name: 'the same request, sent again',
      balance: 'stays',
      run: async () => {
        const again = await chat(hello, ONCE);
        const outcome = await expect(Promise.resolve(again), 200, /"content":"(Hello)"/);
        return { ...outcome, isRight: outcome.isRight && again.headers.get('idempotent-replayed') === 'true' };
      },
    },
    { name: 'chat, streamed', balance: 'charged', run: () => expect(chat(lorem), 200, /data: (\[DONE\])/) },
    {
      name: 'chat, a tool is called',
      balance: 'charged',
      run: () => {
        const declared = { name: 'get_weather', parameters: { type: 'object', properties: {} } };
        const tools = [{ type: 'function', function: declared }];
        return expect(chat({ model: 'demo/tools', messages: say('go'), tools }), 200, /"finish_reason":"(tool_calls)"/);
      },
    },
    { name: 'messages', balance: 'charged', run: () => expect(message(hello), 200, /"text":"(Hello)"/) },
    { name: 'messages, streamed', balance: 'charged', run: () => expect(message(lorem), 200, /event: (message_stop)/) },
    {
      name: 'responses',
      balance: 'charged',
      run: () => expect(responses({ model: 'demo/echo', input: 'Hello' }), 200, /"text":"(Hello)"/),
    },
    {
      name: 'responses, streamed',
      balance: 'charged',
      run: () =>
        expect(
          responses({ model: 'demo/lorem', input: 'tokens=20 rate=0', stream: true }),
          200,
          /event: (response\.completed)/,
        ),
    },
    {
      name: 'google',
      balance: 'charged',
      run: () => expect(google('echo:generateContent', 'Hello'), 200, /"text":"(Hello)"/),
    },
    {
      name: 'google, streamed',
      balance: 'charged',
      run: () =>
        expect(google('lorem:streamGenerateContent?alt=sse', 'tokens=20 rate=0'), 200, /"finishReason":"(STOP)"/),
    },
    {
      name: 'google, embeddings',
      balance: 'charged',
      run: () =>
        expect(
          send('/v1beta/models/demo/embed:embedContent', { content: { parts: [{ text: 'Hello' }] } }),
          200,
          /"(embedding)":/,
        ),
    },
    ...operationSteps({ send, sendForm }),
    {
      name: 'a provider that fails',
      balance: 'stays',
      run: () => expect(chat({ model: 'demo/flaky', messages: say('500') }), 502, /"code":"(bad_gateway)"/),
    },
    {
      name: 'a budget, used up',
      balance: 'stays',
      run: async () => {
        const poor = await limited({ budgets: { day: '0.000001' } });
        return expect(chat(hello, { key: poor }), 402, /"code":"(budget_exceeded)"/);
      },
    },
    {
      name: 'a limit of one call a minute',
      balance: 'charged',
      run: async () => {
        const slow = await limited({ requests_per_minute: 1 });
        await (await message(hello, { key: slow })).text();
        return expect(message(hello, { key: slow }), 429, /"error":\{"type":"(rate_limit_error)"/);
      },
    },
    { name: 'what the key says', balance: 'stays', run: () => expect(send('/api/v1/key'), 200, /("usage":[^,}]+)/) },
    { name: 'a transfer of the ledger', balance: 'stays', run: () => readTransfer(app) },
    {
      name: 'the key, revoked',
      balance: 'stays',
      run: async () => {
        await control(app, 'DELETE', `/control/api/keys/${key.id}`);
        return expect(chat(hello), 401, /"code":"(invalid_api_key)"/);
      },
    },
    { name: 'the ledger, verified', balance: 'stays', run: () => verify(app) },
  ];
}

interface SendOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ONCE: SendOptions = { headers: { 'idempotency-key': 'once' } };

function say(content: string) {
  return [{ role: 'user', content }];
}

function request(
  url: string,
  { key, headers, body }: Required<SendOptions> & { readonly body: object | undefined },
): Promise<Response> {
  const all = {
    authorization: `Bearer ${key}`,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
    ...headers,
  };
  return fetch(
    url,
    body === undefined ? { headers: all } : { method: 'POST', headers: all, body: JSON.stringify(body) },
  );
}

/** A request of the program's commands, made in this process. Throws if it is refused. */
async function control(app: App, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object) {
  const answer = await app.control.inject({ method, url, ...(body === undefined ? {} : { payload: body }) });
  if (answer.statusCode >= 400) throw new Error(`${method} ${url} was answered ${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

interface Transfer {
  readonly debit: string;
  readonly credit: string;
  readonly amount: string;
  readonly call: string | null;
}

/** The charge of a call, as double entry. */
async function readTransfer(app: App): Promise<Outcome> {
  const { data } = (await control(app, 'GET', '/control/api/ledger/transfers')) as { data: readonly Transfer[] };
  const charge = data.find(({ call, credit }) => call !== null && credit === 'revenue');
  if (charge === undefined) return { saw: JSON.stringify(data).slice(0, 200), status: null, isRight: false };
  return { saw: `$${charge.amount} ${charge.debit} → ${charge.credit}`, status: null, isRight: true };
}

async function verify(app: App): Promise<Outcome> {
  await app.gateway.records.drain();
  const { data } = await control(app, 'POST', '/control/api/ledger/verify', {});
  const { settlements, records } = data.looked_at;
  const saw = `${settlements} settlements, ${records} records, ${data.violation_count} violations`;
  return { saw, status: null, isRight: data.ok && settlements === SETTLED && records === settlements };
}

/** Calls that reached the provider; a refused or repeated request does not count. */
const SETTLED = 12 + OPERATIONS_SETTLED;
