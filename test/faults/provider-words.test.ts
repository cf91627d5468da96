/**
 * Goal: a provider that limits, is overloaded, is slow or fails says why in its own words to every caller, and nothing about
 * its operator's account. Method: refusals as the vendors write them, on every pair of dialects, for whole answers and streams,
 * and the same errors inside answers that began, in every form in which servers write them.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  chatBody,
  DIALECTS,
  type DialectUnderTest,
  type OpenBench,
  openBenchWith,
  PATHS,
} from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, anthropicFrames, openaiFrames, refuse, stream } from '../support/upstream-scripts.ts';

const ORGANISATION = 'org-Ab12Cd34Ef56Gh78';
const UUID = '4f1c1d2e-8a55-4a32-9a30-0123456789ab';
const SECRETS = [
  ORGANISATION,
  UUID,
  'sk-ab***wxyz',
  'user_9z8y',
  'billing',
  'credit balance',
  '10.0.0.1',
  'OWNERS-OWN',
];

interface Trouble {
  readonly status: number;
  readonly said: string;
  /** The error's type as Anthropic names it; OpenAI's format has the same word as `type`. */
  readonly type: string;
  readonly shown: RegExp;
  /** The status for a caller of chat completions and one of the Messages API, if the provider's own is not relayed. */
  readonly statuses: readonly number[];
}

const TROUBLES: readonly Trouble[] = [
  {
    status: 429,
    type: 'rate_limit_error',
    said: `Rate limit reached for x in organization ${ORGANISATION} on tokens per min (TPM): Limit 30000. Try again in 9s. See https://10.0.0.1/billing.`,
    shown:
      /Rate limit reached for x in organization \[redacted\] on tokens per min \(TPM\): Limit 30000\. Try again in 9s\.$/,
    statuses: [429],
  },
  {
    status: 429,
    type: 'rate_limit_error',
    said: `This would exceed the limit of your organization (${UUID}) of 30,000 input tokens per minute.`,
    shown: /exceed the limit of your organization \(\[redacted\]\) of 30,000 input tokens per minute\.$/,
    statuses: [429],
  },
  { status: 429, type: 'rate_limit_error', said: 'Slow down, please.', shown: /Slow down, please\.$/, statuses: [429] },
  { status: 503, type: 'overloaded_error', said: 'Busy until noon.', shown: /Busy until noon\.$/, statuses: [503] },
  {
    status: 529,
    type: 'overloaded_error',
    said: 'Overloaded by cats',
    shown: /Overloaded by cats$/,
    statuses: [503, 529],
  },
  {
    status: 408,
    type: 'timeout_error',
    said: 'It took too long.',
    shown: /in time: It took too long\.$/,
    statuses: [504],
  },
  {
    status: 500,
    type: 'api_error',
    said: 'The harbour is closed.',
    shown: /The harbour is closed\.$/,
    statuses: [502],
  },
  {
    status: 413,
    type: 'request_too_large',
    said: `Too many tokens in organization ${ORGANISATION}`,
    shown: /Too many tokens in organization/,
    statuses: [413],
  },
  {
    status: 402,
    type: 'billing_error',
    said: 'Pay the OWNERS-OWN credit balance',
    shown: /^The provider rejected/,
    statuses: [502],
  },
  {
    status: 403,
    type: 'permission_error',
    said: 'OWNERS-OWN key disabled',
    shown: /^The provider rejected/,
    statuses: [502],
  },
];

const bodyOf = (upstream: DialectUnderTest, { type, said }: Pick<Trouble, 'type' | 'said'>) =>
  upstream === 'openai-chat'
    ? { error: { message: said, type, param: null, code: null } }
    : { type: 'error', error: { type, message: said }, request_id: 'req_up' };

/** The forms in which servers of a format write an error into a stream, by name. */
function eventsOf(upstream: DialectUnderTest, trouble: Trouble): Readonly<Record<string, string>> {
  const { said: message, status: code, type } = trouble;
  const event = (json: object, name: string | null = null) =>
    `${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(json)}\n\n`;
  if (upstream === 'anthropic-messages') {
    const body = bodyOf(upstream, trouble);
    return { 'an error event': event(body, 'error'), 'an event without a name': event(body) };
  }
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted-1' };
  const choice = { index: 0, delta: { content: '' }, finish_reason: 'error' };
  return {
    'an event of its own': event({ error: { message, code } }),
    'a chunk with choices': event({
      ...head,
      model: `spoken/${upstream}`,
      error: { message, code },
      choices: [choice],
    }),
    'a choice with an error': event({
      ...head,
      model: `spoken/${upstream}`,
      choices: [{ ...choice, finish_reason: null, error: { message, code } }],
    }),
    'an error of OpenRouter’s provider': event({
      error: { message: 'Provider returned error', code, metadata: { raw: JSON.stringify({ error: { message } }) } },
    }),
    'an error event': event({ message, code }, 'error'),
    'an event that is an error': event({ object: 'error', message, type, code }),
  };
}

let bench: OpenBench;
before(async () => {
  const upstream = await startScriptedUpstream(answerWell);
  const providers = DIALECTS.map((dialect) => ({
    name: `only-${dialect}`,
    kind: 'custom',
    origin: upstream.origin,
    credential: `canary-credential-of-${dialect}`,
    dialects: [dialect],
    models: [{ id: `spoken/${dialect}`, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 1000 }],
  }));
  bench = await openBenchWith(upstream, { providers });
});
after(() => bench.close());

const messageOf = (text: string): string => (JSON.parse(text) as { error: { message: string } }).error.message;

for (const caller of DIALECTS)
  for (const upstream of DIALECTS)
    describe(`${caller} over ${upstream}`, () => {
      const post = (streamed: boolean) => bench.post(PATHS[caller], chatBody(streamed, 'hi', `spoken/${upstream}`));

      for (const trouble of TROUBLES)
        for (const streamed of [false, true])
          test(`${trouble.status}, ${streamed ? 'streamed' : 'whole'}: “${trouble.said.slice(0, 30)}…”`, async () => {
            bench.upstream.play(refuse(trouble.status, bodyOf(upstream, trouble), { 'retry-after': '9' }));
            const response = await post(streamed);
            const text = await response.text();
            assert.ok(trouble.statuses.includes(response.status), `${response.status} ${text}`);
            assert.match(messageOf(text), trouble.shown);
            for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
            const mayRetry = ['429', '503', '529', '500'].includes(String(trouble.status));
            if (mayRetry) assert.equal(response.headers.get('retry-after'), '9');
          });

      const frames = upstream === 'openai-chat' ? openaiFrames(['Hi']) : anthropicFrames(['Hi']);
      for (const trouble of TROUBLES)
        for (const [form, event] of Object.entries(eventsOf(upstream, trouble)))
          test(`${trouble.status} in ${form}: “${trouble.said.slice(0, 30)}…”`, async () => {
            bench.upstream.play(stream([...frames.slice(0, 3), event]));
            const text = await (await post(true)).text();
            for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
            assert.doesNotMatch(text, /\[DONE\]|message_stop/);
            const isSafe = !SECRETS.some((secret) => event.includes(secret));
            // The same format on both sides: what may be shown passes unchanged.
            if (caller === upstream && isSafe) return assert.ok(text.includes(event), text);
            const last = text.split('\n').findLast((line) => line.startsWith('data: {') && line.includes('"error"'));
            assert.match(messageOf((last ?? '').slice('data: '.length)), trouble.shown);
          });
    });

test('why a provider wants money, or refuses the key, is shown nowhere but at the provider', async () => {
  for (const [upstream, status, error] of [
    ['openai-chat', 429, { message: 'OWNERS-OWN quota', type: 'insufficient_quota', code: 'insufficient_quota' }],
    ['openai-chat', 400, { message: 'Incorrect API key provided: sk-ab***wxyz' }],
    ['anthropic-messages', 400, { type: 'invalid_request_error', message: 'Your credit balance is too low' }],
  ] as const)
    for (const caller of DIALECTS) {
      bench.upstream.play(refuse(status, { type: 'error', error }));
      const response = await bench.post(PATHS[caller], chatBody(false, 'hi', `spoken/${upstream}`));
      const text = await response.text();
      assert.equal(response.status, 502, text);
      for (const secret of SECRETS) assert.ok(!text.includes(secret), text);
    }
});
