/** Answers of a provider whose calls are numbered, in the three formats that it speaks: the usage that each reports is the call's number. */
import { data, event } from '../../support/upstream-scripts.ts';

export type NumberedFormat = 'openai-chat' | 'anthropic-messages' | 'openai-responses';

export interface Frames {
  readonly before: string;
  readonly piece: string;
  readonly after: string;
}

export const PIECE = ' word';
export const PROMPT_TOKENS = 11;

/** The ids by which later requests may name the answer of a call: its own, and its item's. */
export function storedIdsOf(number: number): readonly string[] {
  return [`resp_numbered_${number}`, `msg_numbered_${number}`];
}

export function wholeAnswer(format: NumberedFormat, number: number, pieces: number): object {
  return WHOLE[format](number, PIECE.repeat(pieces));
}

export function framesOf(format: NumberedFormat, number: number, pieces: number): Frames {
  return FRAMES[format](number, pieces);
}

const WHOLE: Readonly<Record<NumberedFormat, (number: number, text: string) => object>> = {
  'openai-chat': (number, content) => ({
    id: 'chatcmpl-numbered',
    object: 'chat.completion',
    created: 1,
    model: 'numbered',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    usage: chatUsage(number),
  }),
  'anthropic-messages': (number, text) => ({
    ...MESSAGE,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: { input_tokens: PROMPT_TOKENS, output_tokens: number },
  }),
  'openai-responses': response,
};

const FRAMES: Readonly<Record<NumberedFormat, (number: number, pieces: number) => Frames>> = {
  'openai-chat': completionFrames,
  'anthropic-messages': messageFrames,
  'openai-responses': responseFrames,
};

function completionFrames(number: number): Frames {
  const head = { id: 'chatcmpl-numbered', object: 'chat.completion.chunk', created: 1, model: 'numbered' };
  const chunk = (delta: object, finish: string | null) =>
    data({ ...head, choices: [{ index: 0, delta, finish_reason: finish }], usage: null });
  return {
    before: chunk({ role: 'assistant', content: '' }, null),
    piece: chunk({ content: PIECE }, null),
    after: `${chunk({}, 'stop')}${data({ ...head, choices: [], usage: chatUsage(number) })}data: [DONE]\n\n`,
  };
}

function messageFrames(number: number): Frames {
  const usage = { input_tokens: PROMPT_TOKENS, output_tokens: 1 };
  return {
    before:
      event({ type: 'message_start', message: { ...MESSAGE, content: [], usage } }) +
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    piece: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: PIECE } }),
    after:
      event({ type: 'content_block_stop', index: 0 }) +
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: number },
      }) +
      event({ type: 'message_stop' }),
  };
}

function responseFrames(number: number, pieces: number): Frames {
  const whole = response(number, PIECE.repeat(pieces));
  const { item, started } = { item: messageItem(number, PIECE.repeat(pieces)), started: { ...whole, ...STARTED } };
  const at = { output_index: 0, item_id: item.id, content_index: 0 };
  return {
    before:
      event({ type: 'response.created', response: started }) +
      event({ type: 'response.output_item.added', output_index: 0, item: { ...item, ...BEGUN } }) +
      event({ type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } }),
    piece: event({ type: 'response.output_text.delta', ...at, delta: PIECE }),
    after:
      event({ type: 'response.output_text.done', ...at, text: PIECE.repeat(pieces) }) +
      event({ type: 'response.content_part.done', ...at, part: item.content[0] }) +
      event({ type: 'response.output_item.done', output_index: 0, item }) +
      event({ type: 'response.completed', response: whole }),
  };
}

const STARTED = { status: 'in_progress', output: [], usage: null };
const BEGUN = { status: 'in_progress', content: [] };

function response(number: number, text: string): object {
  return {
    id: storedIdsOf(number)[0],
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'numbered',
    output: [messageItem(number, text)],
    usage: {
      input_tokens: PROMPT_TOKENS,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: number,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: PROMPT_TOKENS + number,
    },
  };
}

function messageItem(number: number, text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: storedIdsOf(number)[1], type: 'message', status: 'completed', role: 'assistant', content };
}

const MESSAGE = {
  id: 'msg_numbered',
  type: 'message',
  role: 'assistant',
  model: 'numbered',
  stop_reason: null,
  stop_sequence: null,
};

function chatUsage(number: number): object {
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens: number, total_tokens: PROMPT_TOKENS + number };
}
