/**
 * Requests in each format that a caller may send to make the gateway work: well-formed, with one part of them repeated. Each
 * family is a function of the size, so that the same request can be had twice as large.
 */
import { type CallerDialectName, callerDialects } from '../../src/dialects/index.ts';
import type { CallerPath } from '../../src/dialects/interface/caller-path.ts';
import { anthropicCounts, geminiBatches, geminiCounts, geminiVectors, responsesCounts } from './hostile-operations.ts';
import { completionRequests, imageRequests, inputRequests, rerankRequests, speechRequests } from './hostile-parts.ts';
import { responsesRequests } from './hostile-responses-requests.ts';
import { jsonOf, pick, type Random, textOf, times } from './hostile-values.ts';

export interface Family {
  readonly name: string;
  readonly dialect: CallerDialectName;
  /** The end of the path's pattern, if it is not the first of the dialect. */
  readonly pathEnd?: string;
  /** The same `random` gives the same body, but for its size. */
  write(random: Random, size: number): string;
}

type Parts = Readonly<Record<string, string>>;

function body(parts: Parts): string {
  return `{${Object.entries(parts).map(([name, value]) => `${JSON.stringify(name)}:${value}`)}}`;
}

/** What a request of each format has, if a family says nothing else. */
const MESSAGES: Parts = { model: '"m"', max_tokens: '100', messages: '[{"role":"user","content":"x"}]' };
const INPUT: Parts = { model: '"m"', max_output_tokens: '100', input: '"x"' };

function text(random: Random, length: number): string {
  return JSON.stringify(textOf(random, length));
}

const user = (content: string) => `{"role":"user","content":${content}}`;
const assistant = (content: string) => `{"role":"assistant","content":${content}}`;

export type Write = (random: Random, size: number) => Parts;

/** In any field, in chat completions and in Messages. */
const ofAnyFormat: Readonly<Record<string, Write>> = {
  backslashes: (_random, size) => ({ messages: `[${user(`"${'\\\\'.repeat(size * 20)}"`)}]` }),
  'numbers with many digits': (_random, size) => ({
    something: `[${times(size, () => '2.22507385850720113605740979670913197593e-308')}]`,
  }),
  'names in escapes': (_random, size) => ({
    something: `{${times(size, (index) => `"${'\\u0074'.repeat(20)}${index}":0`)}}`,
  }),
};

const anthropic: Readonly<Record<string, Write>> = {
  ...ofAnyFormat,
  'many messages': (random, size) => ({
    messages: `[${times(size, () => `{"role":"${pick(random, ['user', 'user', 'assistant', 'system'])}","content":${text(random, 6)}}`)}]`,
  }),
  'many texts of one message': (random, size) => ({
    messages: `[${user(`[${times(size, () => `{"type":"text","text":${text(random, 6)}}`)}]`)}]`,
  }),
  'many messages of one role': (random, size) => ({ messages: `[${times(size, () => user(text(random, 3)))}]` }),
  'a long text': (random, size) => ({ messages: `[${user(text(random, size * 40))}]` }),
  'tool input': (random, size) => ({
    messages: `[${user('"x"')},${assistant(`[{"type":"tool_use","id":"c1","name":"look","input":{"a":${jsonOf(random, size)}}}]`)},${user('[{"type":"tool_result","tool_use_id":"c1","content":"x"}]')}]`,
  }),
  'many calls in one turn, answered in another order': (_random, size) => ({
    messages: `[${user('"x"')},${assistant(`[${times(size, (index) => `{"type":"tool_use","id":"c${index}","name":"look","input":{}}`)}]`)},${user(`[${times(size, (index) => `{"type":"tool_result","tool_use_id":"c${size - 1 - index}","content":"x"}`)}]`)}]`,
  }),
  'many calls, each answered': (_random, size) => ({
    messages: `[${times(size, (index) => `${user('"x"')},${assistant(`[{"type":"tool_use","id":"c${index}","name":"look","input":{}}]`)},${user(`[{"type":"tool_result","tool_use_id":"c${index}","content":[{"type":"text","text":"x"}]}]`)}`)}]`,
  }),
  'calls that nobody answers': (_random, size) => ({
    messages: `[${user('"x"')},${assistant(`[${times(size, (index) => `{"type":"tool_use","id":"c${index}","name":"look","input":{}}`)}]`)},${user('"y"')}]`,
  }),
  'ids that no vendor takes': (_random, size) => ({
    messages: `[${user('"x"')},${assistant(`[${times(size, (index) => `{"type":"tool_use","id":"c:${index}","name":"a b ${index}","input":{}}`)}]`)},${user(`[${times(size, (index) => `{"type":"tool_result","tool_use_id":"c:${index}","content":"x"}`)}]`)}]`,
  }),
  'a result of many parts': (random, size) => ({
    messages: `[${user('"x"')},${assistant('[{"type":"tool_use","id":"c1","name":"look","input":{}}]')},${user(`[{"type":"tool_result","tool_use_id":"c1","content":[${times(size, () => `{"type":"text","text":${text(random, 6)}}`)}]}]`)}]`,
  }),
  'thoughts, own and others': (random, size) => ({
    thinking: '{"type":"enabled","budget_tokens":1024}',
    messages: `[${user('"x"')},${assistant(`[${times(size, (index) => `{"type":"thinking","thinking":${text(random, 5)},"signature":"${pick(random, ['tp1.unknown.', 'EqQB', 'tp1.openai%2Fx.'])}${index}"}`)}]`)},${user('"y"')}]`,
  }),
  'images and documents': (random, size) => ({
    messages: `[${user(`[${times(size, () => pick(random, ['{"type":"image","source":{"type":"url","url":"https://a.example/b.png"}}', '{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},"title":"t","context":"c"}', '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}', '{"type":"search_result","source":"https://a.example","title":"t","content":[{"type":"text","text":"x"}]}']))}]`)}]`,
  }),
  'cache marks': (_random, size) => ({
    messages: `[${user(`[${times(size, () => '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}')}]`)}]`,
    system: `[${times(size, () => '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}')}]`,
  }),
  'many tools': (random, size) => ({
    tools: `[${times(size, (index) => `{"name":"tool_${index}_${'x'.repeat(70)}","description":${text(random, 5)},"input_schema":{"type":"object","properties":{}}}`)}]`,
    tool_choice: '{"type":"tool","name":"tool_0"}',
  }),
  'tools that come and go': (_random, size) => ({
    tools: `[${times(size, (index) => `{"name":"t${index}","input_schema":{"type":"object"}}`)}]`,
    messages: `[${times(size, (index) => `{"role":"system","content":[{"type":"${index % 2 === 0 ? 'tool_removal' : 'tool_addition'}","tool":{"type":"tool_reference","name":"t${index}"}}]}`)},${user('"x"')}]`,
  }),
  "a tool's schema": (random, size) => ({
    tools: `[{"name":"a","input_schema":{"type":"object","properties":{"p":${jsonOf(random, size)}}}}]`,
  }),
  'a schema of the answer': (random, size) => ({
    output_config: `{"format":{"type":"json_schema","schema":{"type":"object","properties":{"p":${jsonOf(random, size)}},"additionalProperties":false}}}`,
  }),
  instructions: (random, size) => ({ system: `[${times(size, () => `{"type":"text","text":${text(random, 8)}}`)}]` }),
  'instructions between questions': (_random, size) => ({
    messages: `[${times(size, () => `${user('"x"')},{"role":"system","content":"y"}`)}]`,
  }),
  'stop sequences': (random, size) => ({ stop_sequences: `[${times(size, () => text(random, 4))}]` }),
  'a field nobody knows': (random, size) => ({ something: jsonOf(random, size) }),
  'unknown fields of blocks': (random, size) => ({
    messages: `[${user(`[${times(size, (index) => `{"type":"text","text":"x","f${index}":${text(random, 3)}}`)}]`)}]`,
  }),
};

const openai: Readonly<Record<string, Write>> = {
  ...ofAnyFormat,
  'many messages': (random, size) => ({
    messages: `[${times(size, () => `{"role":"${pick(random, ['user', 'user', 'assistant', 'system', 'developer'])}","content":${text(random, 6)}}`)}]`,
  }),
  'many parts of one message': (random, size) => ({
    messages: `[${user(`[${times(size, () => `{"type":"text","text":${text(random, 6)}}`)}]`)}]`,
  }),
  'many messages of one role': (random, size) => ({ messages: `[${times(size, () => user(text(random, 3)))}]` }),
  'a long text': (random, size) => ({ messages: `[${user(text(random, size * 40))}]` }),
  arguments: (random, size) => ({
    messages: `[${user('"x"')},{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":${JSON.stringify(`{"a":${jsonOf(random, size)}}`)}}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]`,
  }),
  'many calls in one turn, answered in another order': (_random, size) => ({
    messages: `[${user('"x"')},{"role":"assistant","tool_calls":[${times(size, (index) => `{"id":"c${index}","type":"function","function":{"name":"look","arguments":"{}"}}`)}]},${times(size, (index) => `{"role":"tool","tool_call_id":"c${size - 1 - index}","content":"x"}`)}]`,
  }),
  'many calls, each answered': (_random, size) => ({
    messages: `[${times(size, (index) => `${user('"x"')},{"role":"assistant","tool_calls":[{"id":"c${index}","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c${index}","content":"x"}`)}]`,
  }),
  'results far from their calls': (_random, size) => ({
    messages: `[${times(size, (index) => `${user('"x"')},{"role":"assistant","tool_calls":[{"id":"c${index}","type":"function","function":{"name":"look","arguments":"{}"}}]}`)},${times(size, (index) => `{"role":"tool","tool_call_id":"c${index}","content":"x"}`)}]`,
  }),
  'calls that nobody answers': (_random, size) => ({
    messages: `[${times(size, (index) => `${user('"x"')},{"role":"assistant","tool_calls":[{"id":"c${index}","type":"function","function":{"name":"look","arguments":"{}"}}]}`)}]`,
  }),
  'the same id again and again': (_random, size) => ({
    messages: `[${times(size, () => `${user('"x"')},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}`)}]`,
  }),
  'assistants in a row, each with a call': (_random, size) => ({
    messages: `[${user('"x"')},${times(size, (index) => `{"role":"assistant","content":"a","tool_calls":[{"id":"c${index}","type":"function","function":{"name":"look","arguments":"{}"}}]}`)},${times(size, (index) => `{"role":"tool","tool_call_id":"c${index}","content":"x"}`)}]`,
  }),
  'many results of one call': (_random, size) => ({
    messages: `[${user('"x"')},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]},${times(size, () => '{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"x"}]}')}]`,
  }),
  'instructions between questions': (_random, size) => ({
    messages: `[${times(size, () => `${user('"x"')},{"role":"system","content":"y"}`)}]`,
  }),
  'calls in the old way': (_random, size) => ({
    messages: `[${times(size, (index) => `${user('"x"')},{"role":"assistant","content":null,"function_call":{"name":"f${index}","arguments":"{}"}},{"role":"function","name":"f${index}","content":"x"}`)}]`,
    functions: `[{"name":"f0","parameters":{"type":"object"}}]`,
  }),
  'reasoning whose format and id were added up': (_random, size) => ({
    messages: `[${user('"x"')},{"role":"assistant","content":"y","reasoning_details":[${['a', 'ab', 'anthropic-claude-v1'].map((unit, index) => `{"type":"reasoning.text","text":"a","signature":"s${index}","id":"${'r'.repeat(size)}","format":"${unit.repeat(size)}b","index":${index}}`)}]},${user('"z"')}]`,
  }),
  'reasoning given back': (random, size) => ({
    messages: `[${user('"x"')},{"role":"assistant","content":"y","reasoning_details":[${times(size, (index) => `{"type":"reasoning.${pick(random, ['text', 'summary', 'encrypted'])}","text":"a","data":"b","summary":"c","id":"r${index % 7}","format":"anthropic-claude-v1","index":${index}}`)}]},${user('"z"')}]`,
  }),
  'images and files': (random, size) => ({
    messages: `[${user(`[${times(size, () => pick(random, ['{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}', '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}', '{"type":"file","file":{"filename":"a.txt","file_data":"data:text/plain;base64,eA=="}}', '{"type":"input_audio","input_audio":{"data":"eA==","format":"wav"}}']))}]`)}]`,
  }),
  'cache marks': (_random, size) => ({
    messages: `[${user(`[${times(size, () => '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}')}]`)}]`,
  }),
  'many tools': (random, size) => ({
    tools: `[${times(size, (index) => `{"type":"function","function":{"name":"tool_${index}","description":${text(random, 5)},"parameters":{"type":"object","properties":{}},"strict":true}}`)}]`,
    tool_choice: '{"type":"function","function":{"name":"tool_0"}}',
  }),
  'allowed tools': (_random, size) => ({
    tools: `[${times(size, (index) => `{"type":"function","function":{"name":"t${index}"}}`)}]`,
    tool_choice: `{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[${times(size, (index) => `{"type":"function","function":{"name":"t${size - 1 - index}"}}`)}]}}`,
  }),
  functions: (_random, size) => ({
    functions: `[${times(size, (index) => `{"name":"f${index}","parameters":{"type":"object"}}`)}]`,
  }),
  "a tool's schema": (random, size) => ({
    tools: `[{"type":"function","function":{"name":"a","parameters":{"type":"object","properties":{"p":${jsonOf(random, size)}}}}}]`,
  }),
  'a schema of the answer': (random, size) => ({
    response_format: `{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":{"type":"object","properties":{"p":${jsonOf(random, size)}},"additionalProperties":false}}}`,
  }),
  'stop sequences': (random, size) => ({ stop: `[${times(size, () => text(random, 4))}]` }),
  'a field nobody knows': (random, size) => ({ something: jsonOf(random, size) }),
  'unknown fields of messages': (random, size) => ({
    messages: `[${times(size, (index) => `{"role":"user","content":"x","f${index}":${text(random, 3)}}`)}]`,
  }),
  'a prediction': (random, size) => ({ prediction: `{"type":"content","content":${text(random, size * 20)}}` }),
};

const said = (...parts: readonly string[]) => `{"role":"user","parts":[${parts}]}`;
const modelSaid = (...parts: readonly string[]) => `{"role":"model","parts":[${parts}]}`;
const HIGH_WATER = said('{"text":"x"}');
const called = (name: string, id: string | null = null) =>
  `{"functionCall":{"name":"${name}","args":{}${id === null ? '' : `,"id":"${id}"`}}}`;
const responded = (name: string, id: string | null = null) =>
  `{"functionResponse":{"name":"${name}","response":{"output":"x"}${id === null ? '' : `,"id":"${id}"`}}}`;

const gemini: Readonly<Record<string, Write>> = {
  backslashes: (_random, size) => ({ contents: said(`{"text":"${'\\\\'.repeat(size * 20)}"}`) }),
  'names in escapes': (_random, size) => ({
    contents: HIGH_WATER,
    something: `{${times(size, (index) => `"${'\\u0074'.repeat(20)}${index}":0`)}}`,
  }),
  'many turns': (random, size) => ({
    contents: `[${times(size, () => pick(random, [said(`{"text":${text(random, 6)}}`), modelSaid(`{"text":${text(random, 6)}}`)]))},${HIGH_WATER}]`,
  }),
  'turns around empty ones': (random, size) => ({
    contents: `[${times(size, () => `${said(`{"text":${text(random, 3)}}`)},${modelSaid('{"text":""}')}`)},${HIGH_WATER}]`,
  }),
  'pieces of a stream': (random, size) => ({
    contents: `[${HIGH_WATER},${times(size, () => modelSaid(`{"text":${text(random, 3)}${pick(random, ['', ',"thought":true'])}}`))},${HIGH_WATER}]`,
  }),
  'signatures, ours and others': (random, size) => ({
    contents: `[${HIGH_WATER},${modelSaid(times(size, () => `{"text":"x","thoughtSignature":"${pick(random, ['c2ln', 'dHAxLgpiIGEgICAgYQ==', 'dHAxLgoKCgoKCgoKCgo='])}"}`))},${HIGH_WATER}]`,
  }),
  'a signature of thoughts': (_random, size) => ({
    contents: `[${HIGH_WATER},${modelSaid(`{"text":"x","thoughtSignature":"${Buffer.from(`tp1.${'\n%20 a b'.repeat(size * 4)}`).toString('base64')}"}`)},${HIGH_WATER}]`,
  }),
  'many calls in one turn, answered in another order': (_random, size) => ({
    contents: `[${HIGH_WATER},${modelSaid(times(size, (index) => called('f', `c${index}`)))},${said(times(size, (index) => responded('f', `c${size - 1 - index}`)))}]`,
  }),
  'many calls without ids': (_random, size) => ({
    contents: `[${HIGH_WATER},${modelSaid(times(size, (index) => called(index % 2 === 0 ? 'f' : 'g')))},${said(times(size, (index) => responded(index < size / 2 ? 'f' : 'g')))}]`,
  }),
  'one id in every call': (_random, size) => ({
    contents: `[${HIGH_WATER},${modelSaid(times(size, () => called('f', 'a')))},${said(times(size, () => responded('f', 'a')))}]`,
  }),
  'images and files': (random, size) => ({
    contents: said(
      times(size, () =>
        pick(random, [
          '{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}',
          '{"inline_data":{"mime_type":"text/plain","data":"eA=="}}',
          '{"fileData":{"fileUri":"https://a.example/b.png","mimeType":"image/png"}}',
        ]),
      ),
    ),
  }),
  'blobs inside each other': (_random, size) => ({
    contents: HIGH_WATER,
    systemInstruction: `{"parts":[{"text":"x","a":[${times(Math.min(size, 4_000), () => '{"inlineData":{"a":{"inlineData":{}}}}')}]}]}`,
  }),
  'many functions': (random, size) => ({
    contents: HIGH_WATER,
    tools: `[{"functionDeclarations":[${times(size, (index) => `{"name":"f${index}","description":${text(random, 5)},"parameters":{"type":"OBJECT"}}`)}]}]`,
    toolConfig: `{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":[${times(size, (index) => `"f${size - 1 - index}"`)}]}}`,
  }),
  "a function's schema": (random, size) => ({
    contents: HIGH_WATER,
    tools: `[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"p":${jsonOf(random, size)}},"propertyOrdering":[${times(size, () => '"p"')}]}}]}]`,
  }),
  'a schema of the answer': (random, size) => ({
    contents: HIGH_WATER,
    generationConfig: `{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"p":${jsonOf(random, size)}}}}`,
  }),
  'stop sequences': (random, size) => ({
    contents: HIGH_WATER,
    generationConfig: `{"stopSequences":[${times(size, () => text(random, 4))}]}`,
  }),
  'unknown fields of parts': (random, size) => ({
    contents: said(times(size, (index) => `{"text":"x","f${index}":${text(random, 3)}}`)),
  }),
};

export const REQUEST_FAMILIES: readonly Family[] = [
  ...familiesOf('anthropic-messages', anthropic, MESSAGES),
  ...familiesOf('openai-chat', openai, MESSAGES),
  ...familiesOf('openai-chat', completionRequests, { model: '"m"', prompt: '"x"' }, '/v1/completions'),
  ...familiesOf('openai-chat', inputRequests, { model: '"m"' }, '/v1/embeddings'),
  ...familiesOf('openai-chat', imageRequests, { model: '"m"', prompt: '"x"' }, '/v1/images/generations'),
  ...familiesOf('openai-chat', inputRequests, { model: '"m"' }, '/v1/moderations'),
  ...familiesOf(
    'openai-chat',
    imageRequests,
    { model: '"m"', prompt: '"x"', images: '[{"image_url":"https://a.example/b.png"}]' },
    '/v1/images/edits',
  ),
  ...familiesOf('openai-chat', speechRequests, { model: '"m"', input: '"x"' }, '/v1/audio/speech'),
  ...familiesOf('openai-chat', rerankRequests, { model: '"m"', query: '"x"', documents: '["y"]' }, '/v1/rerank'),
  ...familiesOf('openai-responses', responsesRequests, INPUT),
  ...familiesOf('gemini', gemini, {}),
  ...familiesOf('gemini', geminiCounts, {}, ':countTokens'),
  ...familiesOf('gemini', geminiVectors, {}, ':embedContent'),
  ...familiesOf('gemini', geminiBatches, {}, ':batchEmbedContents'),
  ...familiesOf('openai-responses', responsesCounts, INPUT, '/input_tokens'),
  ...familiesOf('openai-responses', responsesCounts, { model: '"m"' }, '/compact'),
  ...familiesOf('anthropic-messages', anthropicCounts, MESSAGES, '/count_tokens'),
];

/** Where requests of the family are sent. */
export function pathOf({ dialect, pathEnd }: Pick<Family, 'dialect' | 'pathEnd'>): CallerPath {
  const { paths } = callerDialects[dialect];
  return paths.find(({ pattern }) => pathEnd !== undefined && pattern.endsWith(pathEnd)) ?? paths[0];
}

function familiesOf(
  dialect: CallerDialectName,
  writers: Readonly<Record<string, Write>>,
  least: Parts,
  pathEnd?: string,
): Family[] {
  return Object.entries(writers).map(([name, write]) => ({
    name: pathEnd === undefined ? name : `${pathEnd}: ${name}`,
    dialect,
    ...(pathEnd !== undefined && { pathEnd }),
    write: (random, size) => body({ ...least, ...write(random, size) }),
  }));
}
