/**
 * Goal: a caller of Google's format goes on in a loop of tools, whichever model serves it, and also if that changes in between. Method:
 * requests as `@google/genai` and Gemini CLI send them, to providers that check what their vendors check, signatures included.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import {
  CLAUDE_ADAPTIVE,
  CLAUDE_BUDGET,
  GEMINI,
  GPT,
  openTranslateBench,
  ROUTED,
  type TranslateBench,
} from '../support/translate-bench.ts';

let bench: TranslateBench;
before(async () => {
  bench = await openTranslateBench();
});
after(() => bench.close());

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string };
}

interface Answer {
  readonly candidates: readonly { readonly content?: { readonly parts: readonly Part[] } }[];
}

const tools = [{ functionDeclarations: [{ name: 'weather', parameters: { type: 'OBJECT', properties: {} } }] }];
const THINKING = { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } };

/** The parts of an answer: a whole one, or those of all events of a stream. */
async function ask(model: string, contents: readonly object[], form: Form, settings: object): Promise<readonly Part[]> {
  const verb = form === 'whole' ? 'generateContent' : 'streamGenerateContent';
  const response = await fetch(`${bench.url}/v1beta/models/${model}:${verb}${form === 'events' ? '?alt=sse' : ''}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': bench.key, 'content-type': 'application/json' },
    body: JSON.stringify({ contents, tools, generationConfig: settings }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${model}: ${text}`);
  const answers: readonly Answer[] = form === 'events' ? eventsOf(text) : [JSON.parse(text)].flat();
  for (const { candidates } of answers) assert.ok((candidates[0]?.content?.parts.length ?? 0) > 0, text);
  return answers.flatMap(({ candidates }) => candidates[0]?.content?.parts ?? []);
}

type Form = 'whole' | 'events' | 'array';

function eventsOf(text: string): readonly Answer[] {
  return new SseSplitter().push(Buffer.from(text)).map(({ data }) => JSON.parse(String(data)));
}

/** Answers calls until there are none, and returns the last answer's text; each turn is asked of the next model. */
async function loop(
  models: readonly string[],
  command: string,
  { form = 'whole', settings = THINKING, keeps = () => true }: Partial<Client> = {},
): Promise<string> {
  const contents: object[] = [{ role: 'user', parts: [{ text: command }] }];
  for (let turn = 0; turn < 5; turn += 1) {
    const parts = await ask(models[turn % models.length] ?? '', contents, form, settings);
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (calls.length === 0) return parts.map(({ text, thought }) => (thought === true ? '' : text)).join('');
    const results = calls.map(({ id, name }) => ({ functionResponse: { id, name, response: { output: 'sunny' } } }));
    contents.push({ role: 'model', parts: parts.filter(keeps) }, { role: 'user', parts: results });
  }
  return 'no end';
}

interface Client {
  readonly form: Form;
  readonly settings: object;
  /** Which parts of an answer it sends back. */
  readonly keeps: (part: Part) => boolean;
}

const CLIENTS: Readonly<Record<string, Partial<Client>>> = {
  'a client that sends back what it got': {},
  'a client that streams': { form: 'events' },
  'a client that streams an array': { form: 'array' },
  'a client that leaves out thoughts, as Gemini CLI does': { form: 'events', keeps: ({ thought }) => thought !== true },
  'a client that is shown no thoughts': { form: 'events', settings: { thinkingConfig: { thinkingBudget: 2048 } } },
};

for (const model of [CLAUDE_BUDGET, CLAUDE_ADAPTIVE, ROUTED, GPT, GEMINI])
  for (const [name, client] of Object.entries(CLIENTS))
    test(`${name} ends its loop with ${model}`, async () => {
      assert.equal(await loop([model], 'think twice then loop 2 weather', client), 'results: sunny | sunny');
    });

for (const models of [
  [CLAUDE_BUDGET, GEMINI],
  [GEMINI, CLAUDE_BUDGET],
  [GPT, GEMINI],
  [GEMINI, GPT],
])
  test(`a loop that changes between ${models.join(' and ')} goes on`, async () => {
    for (const command of ['think twice then loop 3 weather', 'loop 3 weather'])
      for (const form of ['whole', 'events'] as const)
        assert.equal(await loop(models, command, { form }), 'results: sunny | sunny | sunny');
  });
