/**
 * Writes an answer in Messages format, whole and streamed.
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */
import type { Answer, Finish, Part } from '../answer.ts';
import type { Thinking } from '../ask.ts';
import type { Frame, Writing } from '../frame.ts';
import { newIdentifier } from '../identifiers.ts';
import type { AnthropicAsk } from './read-ask.ts';

const ID_LENGTH = 22;

const STOP_REASONS: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
};

export function writeAnthropicAnswer(ask: AnthropicAsk, answer: Answer, model: string): Writing {
  const id = newIdentifier('msg_01', ID_LENGTH);
  return {
    body: () => JSON.stringify(message(ask, answer, id, model)),
    frames: () => frames(ask, answer, id, model),
    errorFrame: () => event({ type: 'error', error: { type: 'api_error', message: 'The demo provider broke off.' } }),
  };
}

function message(ask: AnthropicAsk, answer: Answer, id: string, model: string): unknown {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: partsOf(answer).map((part) => block(part, ask.thinking)),
    ...stop(answer),
    ...usageField({ ...promptUsage(ask, answer), ...outputUsage(answer), ...tier }, answer),
  };
}

function* frames(ask: AnthropicAsk, answer: Answer, id: string, model: string): Iterable<Frame> {
  const started = {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...usageField({ ...promptUsage(ask, answer), output_tokens: 1, ...tier }, answer),
  };
  yield quiet({ type: 'message_start', message: started });
  for (const [index, part] of partsOf(answer).entries()) {
    yield quiet({ type: 'content_block_start', index, content_block: openBlock(part) });
    if (index === 0) yield quiet({ type: 'ping' });
    for (const delta of deltas(part, ask.thinking)) {
      yield { text: event({ type: 'content_block_delta', index, delta: delta.delta }), isToken: delta.isToken };
    }
    yield quiet({ type: 'content_block_stop', index });
  }
  const totals = { ...promptUsage(ask, answer), ...outputUsage(answer) };
  yield quiet({ type: 'message_delta', delta: stop(answer), ...usageField(totals, answer) });
  yield quiet({ type: 'message_stop' });
}

function* deltas(part: Part, thinking: Thinking): Iterable<{ delta: unknown; isToken: boolean }> {
  switch (part.type) {
    case 'text':
      for (const piece of part.pieces) yield { delta: { type: 'text_delta', text: piece }, isToken: true };
      return;
    case 'thinking':
      for (const piece of thinking === 'omitted' ? [] : part.pieces) {
        yield { delta: { type: 'thinking_delta', thinking: piece }, isToken: true };
      }
      yield { delta: { type: 'signature_delta', signature: part.signature }, isToken: false };
      return;
    case 'tool-call':
      yield { delta: { type: 'input_json_delta', partial_json: '' }, isToken: false };
      for (const piece of part.pieces)
        yield { delta: { type: 'input_json_delta', partial_json: piece }, isToken: true };
      return;
  }
}

function openBlock(part: Part): unknown {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return { type: 'tool_use', id: newToolUseId(), name: part.name, input: {} };
  }
}

function block(part: Part, thinking: Thinking): unknown {
  const text = part.pieces.join('');
  switch (part.type) {
    case 'text':
      return { type: 'text', text };
    case 'thinking':
      return { type: 'thinking', thinking: thinking === 'omitted' ? '' : text, signature: part.signature };
    case 'tool-call':
      return { type: 'tool_use', id: newToolUseId(), name: part.name, input: JSON.parse(text) };
  }
}

/** An empty text is left out, because the API itself refuses empty blocks. */
function partsOf(answer: Answer): readonly Part[] {
  if (answer.fault?.type === 'empty') return [];
  return answer.parts.filter((part) => part.type !== 'text' || part.pieces.length > 0);
}

function stop(answer: Answer): { stop_reason: string | null; stop_sequence: string | null } {
  const empty = answer.fault?.type === 'empty';
  return { stop_reason: empty ? null : STOP_REASONS[answer.finish], stop_sequence: answer.stopSequence };
}

const tier = { service_tier: 'standard', inference_geo: 'not_available' };

/** Three disjoint counters: `input_tokens` does not include cached tokens. */
function promptUsage(ask: AnthropicAsk, answer: Answer): object {
  if (answer.fault?.type === 'usage' && answer.fault.manner === 'invalid') return { input_tokens: -1 };
  return {
    input_tokens: ask.prompt.input,
    cache_creation_input_tokens: ask.prompt.cacheWrite5m + ask.prompt.cacheWrite1h,
    cache_read_input_tokens: ask.prompt.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: ask.prompt.cacheWrite5m,
      ephemeral_1h_input_tokens: ask.prompt.cacheWrite1h,
    },
  };
}

function outputUsage(answer: Answer): object {
  const manner = answer.fault?.type === 'usage' ? answer.fault.manner : null;
  if (manner === 'invalid') return { output_tokens: 'many' };
  if (manner === 'huge') return { output_tokens: 1_000_000_000 };
  if (answer.fault?.type === 'empty') return { output_tokens: 0 };
  return {
    output_tokens: answer.outputTokens,
    ...(answer.thinkingTokens > 0 && { output_tokens_details: { thinking_tokens: answer.thinkingTokens } }),
  };
}

function usageField(usage: object, answer: Answer): object | false {
  return !(answer.fault?.type === 'usage' && answer.fault.manner === 'absent') && { usage };
}

function quiet(value: { readonly type: string; readonly [field: string]: unknown }): Frame {
  return { text: event(value), isToken: false };
}

function event(value: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}

function newToolUseId(): string {
  return newIdentifier('toolu_01', ID_LENGTH);
}
