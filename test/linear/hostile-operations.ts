/** Requests for other operations than a call: to count tokens, to shorten a conversation, for vectors; see `hostile-requests.ts`. */
import type { Write } from './hostile-requests.ts';
import { jsonOf, textOf, times } from './hostile-values.ts';

const part = '{"text":"x"}';
const user = '{"role":"user","content":"x"}';

export const geminiCounts: Readonly<Record<string, Write>> = {
  'a whole request': (random, size) => ({
    generateContentRequest: `{"model":"m","contents":[{"role":"user","parts":[${times(size, () => `{"text":${JSON.stringify(textOf(random, 4))}}`)}]}]}`,
  }),
  'a whole request of numbers': (_random, size) => ({
    generateContentRequest: `{"x":[${times(size, () => '0')}],"contents":[{"parts":[${part}]}]}`,
  }),
  'a prompt alone': (_random, size) => ({ contents: `[{"role":"user","parts":[${times(size, () => part)}]}]` }),
};

export const geminiVectors: Readonly<Record<string, Write>> = {
  'many parts': (_random, size) => ({ content: `{"parts":[${times(size, () => part)}]}` }),
  'a long text': (random, size) => ({ content: `{"parts":[{"text":${JSON.stringify(textOf(random, size * 40))}}]}` }),
};

export const geminiBatches: Readonly<Record<string, Write>> = {
  'many requests': (random, size) => ({
    requests: `[${times(Math.min(size, 250), () => `{"model":"m","content":{"parts":[{"text":${JSON.stringify(textOf(random, Math.max(1, size / 250)))}}]}}`)}]`,
  }),
  'one request of many parts': (_random, size) => ({
    requests: `[{"model":"m","content":{"parts":[${times(size, () => part)}]}}]`,
  }),
};

export const responsesCounts: Readonly<Record<string, Write>> = {
  'many messages with ids': (random, size) => ({
    input: `[${times(size, (index) => `{"type":"message","id":"msg_${index % 100}","role":"user","content":${JSON.stringify(textOf(random, 4))}}`)}]`,
  }),
  'one item with an id': (_random, size) => ({
    input: `[{"type":"message","id":"msg_1","role":"user","content":[${times(size, () => '{"type":"input_text","text":"x"}')}]}]`,
  }),
  'long arguments': (random, size) => ({
    input: `[${user},{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":${JSON.stringify(`{"a":${jsonOf(random, size)}}`)}},{"type":"function_call_output","call_id":"c","output":"x"}]`,
  }),
};

export const anthropicCounts: Readonly<Record<string, Write>> = {
  'many messages': (random, size) => ({
    messages: `[${times(size, () => `{"role":"user","content":${JSON.stringify(textOf(random, 6))}}`)}]`,
  }),
};
