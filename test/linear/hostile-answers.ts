/** Answers in each format that a provider may send to make the gateway work, whole and as streams; as `hostile-requests.ts`. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { converseStreams, converseWholes } from './hostile-converse-answers.ts';
import { geminiStream, geminiWhole } from './hostile-gemini-answers.ts';
import { responsesStreams, responsesWholes } from './hostile-responses-answers.ts';
import { jsonOf, pick, type Random, textOf, times } from './hostile-values.ts';

export interface AnswerFamily {
  readonly name: string;
  readonly dialect: ProviderDialectName;
  readonly isStream: boolean;
  write(random: Random, size: number): string | Buffer;
}

export type WriteAnswer = (random: Random, size: number) => string | Buffer;
type Write = (random: Random, size: number) => string;

const usage = '"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}';
const choice = (message: string) =>
  `{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":${message},"finish_reason":"stop"}],${usage}}`;
const message = (content: string, more = '') =>
  `{"id":"a","type":"message","role":"assistant","model":"m","content":[${content}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}${more}}`;

const openaiWhole: Readonly<Record<string, Write>> = {
  'a long text': (random, size) =>
    choice(`{"role":"assistant","content":${JSON.stringify(textOf(random, size * 40))}}`),
  'many choices': (_random, size) =>
    `{"model":"m","choices":[${times(size, (index) => `{"index":${index},"message":{"content":"x"},"finish_reason":"stop"}`)}],${usage}}`,
  'many parts': (random, size) =>
    choice(
      `{"content":[${times(size, () => pick(random, ['{"type":"text","text":"x"}', '{"type":"thinking","thinking":[{"type":"text","text":"t"}]}', '{"type":"refusal","refusal":"r"}', '{"type":"odd","odd":1}']))}]}`,
    ),
  'many calls': (_random, size) =>
    choice(
      `{"content":null,"tool_calls":[${times(size, (index) => `{"id":"c${index}","type":"function","function":{"name":"look","arguments":"{}"}}`)}]}`,
    ),
  'calls of one id': (_random, size) =>
    choice(
      `{"content":null,"tool_calls":[${times(size, () => '{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}')}]}`,
    ),
  arguments: (random, size) =>
    choice(
      `{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":${JSON.stringify(`{"a":${jsonOf(random, size)}}`)}}}]}`,
    ),
  'arguments that are an object': (random, size) =>
    choice(
      `{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":{"a":${jsonOf(random, size)}}}}]}`,
    ),
  citations: (_random, size) =>
    choice(
      `{"content":"x","annotations":[${times(size, (index) => `{"type":"url_citation","url_citation":{"url":"https://a.example/${index}","title":"t"}}`)}]}`,
    ),
  reasoning: (random, size) =>
    choice(
      `{"content":"x","reasoning_details":[${times(size, (index) => `{"type":"reasoning.${pick(random, ['text', 'encrypted'])}","text":"a","data":"b","signature":"s","id":"r${index}"}`)}]}`,
    ),
  'a field nobody knows': (random, size) =>
    `{"model":"m","x":${jsonOf(random, size)},"choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}],${usage}}`,
  'models within models': (_random, size) =>
    `{"x":[${times(size, () => '{"model":"m","usage":{"cost":1}}')}],"model":"m","choices":[{"index":0,"message":{"content":"x"},"finish_reason":"stop"}],${usage}}`,
};

const anthropicWhole: Readonly<Record<string, Write>> = {
  'a long text': (random, size) => message(`{"type":"text","text":${JSON.stringify(textOf(random, size * 40))}}`),
  'many blocks': (random, size) =>
    message(
      times(size, (index) =>
        pick(random, [
          '{"type":"text","text":"x"}',
          '{"type":"thinking","thinking":"t","signature":"s"}',
          `{"type":"tool_use","id":"c${index}","name":"look","input":{}}`,
          '{"type":"redacted_thinking","data":"d"}',
          '{"type":"odd","odd":1}',
        ]),
      ),
    ),
  'tool input': (random, size) =>
    message(`{"type":"tool_use","id":"c","name":"look","input":{"a":${jsonOf(random, size)}}}`),
  citations: (_random, size) =>
    message(
      `{"type":"text","text":"x","citations":[${times(size, () => '{"type":"web_search_result_location","url":"https://a.example","title":"t","cited_text":"c"}')}]}`,
    ),
  'a field nobody knows': (random, size) => message('{"type":"text","text":"x"}', `,"x":${jsonOf(random, size)}`),
  'numbers with many digits': (_random, size) =>
    message(
      `{"type":"tool_use","id":"c","name":"look","input":{"a":[${times(size, () => '2.2250738585072011360574097e-308')}]}}`,
    ),
  'text of quotes': (_random, size) => message(`{"type":"text","text":"${'\\"'.repeat(size * 20)}"}`),
  'models within models': (_random, size) =>
    `{"x":[${times(size, () => '{"model":"m"}')}],${message('{"type":"text","text":"x"}').slice(1)}`,
};

const data = (json: string) => `data: ${json}\n\n`;
const chunk = (delta: string, finish = 'null') =>
  data(
    `{"id":"a","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}`,
  );
const openaiEnd = `${chunk('{}', '"stop"')}${data(`{"id":"a","model":"m","choices":[],${usage}}`)}data: [DONE]\n\n`;
const frames = (size: number, frame: (index: number) => string) =>
  Array.from({ length: size }, (_, index) => frame(index)).join('');
const call = (index: number, more: string) => chunk(`{"tool_calls":[{"index":${index},${more}}]}`);

const openaiStream: Readonly<Record<string, Write>> = {
  'many words': (random, size) =>
    frames(size, () => chunk(`{"content":${JSON.stringify(textOf(random, 5))}}`)) + openaiEnd,
  'one long word': (random, size) => chunk(`{"content":${JSON.stringify(textOf(random, size * 40))}}`) + openaiEnd,
  'comments and empty lines': (random, size) =>
    frames(size, () => pick(random, [': ping\n\n', '\n', '\r\n\r\n', 'event: x\n\n', 'data\n\n'])) + openaiEnd,
  'data in many lines': (_random, size) =>
    `data: {"model":"m",\n${'data: \n'.repeat(size)}data: "choices":[]}\n\n${openaiEnd}`,
  'frames ended by CR': (_random, size) => frames(size, () => 'data: {"choices":[]}\r\r') + openaiEnd,
  'calls that begin and never end': (_random, size) =>
    frames(size, (index) => call(index, `"id":"c${index}","function":{"name":"look","arguments":"{"}`)) + openaiEnd,
  'calls that go on in turns': (_random, size) =>
    frames(size, (index) => call(index, `"id":"c${index}","function":{"name":"look","arguments":"{"}`)) +
    frames(size, (index) => call(index, '"function":{"arguments":"}"}')) +
    openaiEnd,
  'blocks that wait for a call': (random, size) =>
    call(0, '"id":"c0","function":{"name":"look","arguments":"{"}') +
    frames(size, () => chunk(pick(random, ['{"content":"x"}', '{"reasoning":"r"}']))) +
    call(0, '"function":{"arguments":"}"}') +
    openaiEnd,
  'arguments letter by letter': (random, size) =>
    call(0, '"id":"c0","function":{"name":"look","arguments":"{\\"a\\":["}') +
    frames(size, () =>
      call(0, `"function":{"arguments":${JSON.stringify(pick(random, ['1', '{', '}', '"', '\\', ',', ' ']))}}`),
    ) +
    openaiEnd,
  'thoughts and words in turns': (_random, size) =>
    frames(size, (index) => chunk(index % 2 === 0 ? '{"content":"x"}' : '{"reasoning":"r"}')) + openaiEnd,
  'citations before a text': (_random, size) =>
    frames(size, (index) =>
      chunk(`{"annotations":[{"type":"url_citation","url_citation":{"url":"https://a.example/${index}"}}]}`),
    ) +
    chunk('{"content":"x"}') +
    openaiEnd,
  'many choices': (_random, size) =>
    frames(size, (index) => data(`{"model":"m","choices":[{"index":${index},"delta":{"content":"x"}}]}`)) + openaiEnd,
  'usage in each frame': (_random, size) =>
    frames(size, (index) =>
      data(
        `{"model":"m","choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":1,"completion_tokens":${index},"total_tokens":2}}`,
      ),
    ) + openaiEnd,
  'an error of one long text': (random, size) =>
    data(`{"error":{"message":${JSON.stringify(textOf(random, size * 40))}},"choices":[]}`),
  'an error of many texts': (random, size) =>
    data(
      `{"error":{"message":[${times(size, () => JSON.stringify(`${textOf(random, 5)} organization id`))}]},"choices":[]}`,
    ),
  'an error again and again': (_random, size) =>
    data(`{${times(size, () => '"error":{"message":"org no"}')},"choices":[]}`),
  'errors of choices': (_random, size) =>
    data(`{"choices":[${times(size, (index) => `{"index":${index},"error":{"message":"no key"}}`)}]}`),
  'an error of any value': (random, size) => data(`{"error":{"x":${jsonOf(random, size)}},"choices":[]}`),
  'frames with a large value': (random, size) =>
    data(`{"model":"m","x":${jsonOf(random, size)},"choices":[{"index":0,"delta":{"content":"x"}}]}`) + openaiEnd,
};

const event = (json: string) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`;
const start = event(
  '{"type":"message_start","message":{"id":"a","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
);
const anthropicEnd = `${event('{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}')}${event('{"type":"message_stop"}')}`;
const open = (index: number, block: string) =>
  event(`{"type":"content_block_start","index":${index},"content_block":${block}}`);
const delta = (index: number, inner: string) =>
  event(`{"type":"content_block_delta","index":${index},"delta":${inner}}`);
const stop = (index: number) => event(`{"type":"content_block_stop","index":${index}}`);
const TEXT = '{"type":"text","text":""}';
const CALL = '{"type":"tool_use","id":"c","name":"look","input":{}}';

const anthropicStream: Readonly<Record<string, Write>> = {
  'many words': (random, size) =>
    start +
    open(0, TEXT) +
    frames(size, () => delta(0, `{"type":"text_delta","text":${JSON.stringify(textOf(random, 5))}}`)) +
    stop(0) +
    anthropicEnd,
  'many blocks': (_random, size) =>
    start +
    frames(size, (index) => open(index, TEXT) + delta(index, '{"type":"text_delta","text":"x"}') + stop(index)) +
    anthropicEnd,
  'blocks that begin and never end': (_random, size) =>
    start + frames(size, (index) => open(index, CALL.replace('"c"', `"c${index}"`))) + anthropicEnd,
  'blocks that go on in turns': (_random, size) =>
    start +
    frames(size, (index) => open(index, CALL.replace('"c"', `"c${index}"`))) +
    frames(size, (index) => delta(size - 1 - index, '{"type":"input_json_delta","partial_json":"{}"}')) +
    frames(size, (index) => stop(size - 1 - index)) +
    anthropicEnd,
  'deltas of a block that waits': (_random, size) =>
    start +
    open(0, TEXT) +
    open(1, CALL) +
    frames(size, () => delta(1, '{"type":"input_json_delta","partial_json":"1"}')) +
    stop(1) +
    stop(0) +
    anthropicEnd,
  'thinking and signatures': (_random, size) =>
    start +
    open(0, '{"type":"thinking","thinking":"","signature":""}') +
    frames(size, (index) =>
      delta(
        0,
        index % 2 === 0 ? '{"type":"thinking_delta","thinking":"t"}' : '{"type":"signature_delta","signature":"s"}',
      ),
    ) +
    stop(0) +
    anthropicEnd,
  citations: (_random, size) =>
    start +
    open(0, TEXT) +
    frames(size, () =>
      delta(
        0,
        '{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"https://a.example","title":"t","cited_text":"c"}}',
      ),
    ) +
    delta(0, '{"type":"text_delta","text":"x"}') +
    stop(0) +
    anthropicEnd,
  'an error of one long text': (random, size) =>
    start +
    event(`{"type":"error","error":{"type":"api_error","message":${JSON.stringify(textOf(random, size * 40))}}}`),
  'an error of any value': (random, size) => start + event(`{"type":"error","error":{"x":${jsonOf(random, size)}}}`),
  pings: (_random, size) =>
    start +
    frames(size, () => event('{"type":"ping"}')) +
    open(0, TEXT) +
    delta(0, '{"type":"text_delta","text":"x"}') +
    stop(0) +
    anthropicEnd,
  'events nobody knows': (_random, size) =>
    start + frames(size, (index) => event(`{"type":"odd_${index}"}`)) + anthropicEnd,
  'message_delta again and again': (_random, size) =>
    start +
    frames(size, (index) =>
      event(`{"type":"message_delta","delta":{"odd_${index}":1},"usage":{"output_tokens":${index}}}`),
    ) +
    anthropicEnd,
  'a whole input at the start': (random, size) =>
    start +
    open(0, `{"type":"tool_use","id":"c","name":"look","input":{"a":${jsonOf(random, size)}}}`) +
    stop(0) +
    anthropicEnd,
};

export const ANSWER_FAMILIES: readonly AnswerFamily[] = [
  ...familiesOf('openai-chat', false, openaiWhole),
  ...familiesOf('anthropic-messages', false, anthropicWhole),
  ...familiesOf('gemini', false, geminiWhole),
  ...familiesOf('openai-chat', true, openaiStream),
  ...familiesOf('anthropic-messages', true, anthropicStream),
  ...familiesOf('gemini', true, geminiStream),
  ...familiesOf('openai-responses', false, responsesWholes),
  ...familiesOf('openai-responses', true, responsesStreams),
  ...familiesOf('bedrock-converse', false, converseWholes),
  ...familiesOf('bedrock-converse', true, converseStreams),
];

function familiesOf(
  dialect: ProviderDialectName,
  isStream: boolean,
  writers: Readonly<Record<string, WriteAnswer>>,
): AnswerFamily[] {
  return Object.entries(writers).map(([name, write]) => ({ name, dialect, isStream, write }));
}
