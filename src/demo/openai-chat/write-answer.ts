/**
 * Writes an answer in Chat Completions format, whole and streamed.
 * https://platform.openai.com/docs/api-reference/chat/object
 * https://platform.openai.com/docs/api-reference/chat-streaming
 */
import type { Answer, Finish, Part } from '../answer.ts';
import type { Frame, Writing } from '../frame.ts';
import { newIdentifier } from '../identifiers.ts';
import type { OpenaiAsk } from './read-ask.ts';

const FINGERPRINT = 'fp_demo';
const ID_LENGTH = 29;
const CALL_ID_LENGTH = 24;
/** Chunks are padded to hide the length of a token; the padding itself has no meaning. */
const PADDING = 'demodemodemodemo';

const FINISH_REASONS: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
};

export function writeOpenaiAnswer(ask: OpenaiAsk, answer: Answer, model: string, nowMs: number): Writing {
  const head = { id: newIdentifier('chatcmpl-', ID_LENGTH), created: Math.floor(nowMs / 1000), model };
  return {
    body: () => JSON.stringify(completion(ask, answer, head)),
    frames: () => frames(ask, answer, head),
    errorFrame: () =>
      data({ error: { message: 'The demo provider broke off.', type: 'server_error', param: null, code: null } }),
  };
}

interface Head {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

function completion(ask: OpenaiAsk, answer: Answer, head: Head): unknown {
  const choices = Array.from({ length: ask.choices }, (_, index) => ({
    index,
    message: message(answer),
    logprobs: null,
    finish_reason: finishReason(answer),
  }));
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices,
    ...(!lacksUsage(answer) && { usage: usage(ask, answer) }),
    service_tier: 'default',
    system_fingerprint: FINGERPRINT,
  };
}

function message(answer: Answer): unknown {
  if (answer.fault?.type === 'empty') return { role: 'assistant', content: '', refusal: null, annotations: [] };
  const calls = answer.parts.filter((part) => part.type === 'tool-call');
  const text = answer.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.pieces.join(''))
    .join('');
  return {
    role: 'assistant',
    content: calls.length > 0 && text === '' ? null : text,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: newCallId(),
        type: 'function',
        function: { name: call.name, arguments: call.pieces.join('') },
      })),
    }),
  };
}

function* frames(ask: OpenaiAsk, answer: Answer, head: Head): Iterable<Frame> {
  const empty = answer.fault?.type === 'empty';
  for (let index = 0; index < ask.choices; index += 1) {
    yield { text: chunk(ask, head, index, { role: 'assistant', content: '', refusal: null }, null), isToken: false };
    let callIndex = 0;
    for (const part of empty ? [] : answer.parts) {
      for (const delta of deltas(part, callIndex)) {
        yield { text: chunk(ask, head, index, delta.delta, null), isToken: delta.isToken };
      }
      if (part.type === 'tool-call') callIndex += 1;
    }
    yield { text: chunk(ask, head, index, {}, finishReason(answer)), isToken: false };
  }
  if (ask.includeUsage && !lacksUsage(answer)) {
    yield {
      text: data({ ...envelope(head), choices: [], usage: usage(ask, answer), ...padding(ask) }),
      isToken: false,
    };
  }
  yield { text: 'data: [DONE]\n\n', isToken: false };
}

function* deltas(part: Part, callIndex: number): Iterable<{ delta: unknown; isToken: boolean }> {
  if (part.type === 'text') {
    for (const piece of part.pieces) yield { delta: { content: piece }, isToken: true };
  }
  if (part.type === 'tool-call') {
    const opening = { name: part.name, arguments: '' };
    yield {
      delta: { tool_calls: [{ index: callIndex, id: newCallId(), type: 'function', function: opening }] },
      isToken: false,
    };
    for (const piece of part.pieces) {
      yield { delta: { tool_calls: [{ index: callIndex, function: { arguments: piece } }] }, isToken: true };
    }
  }
}

/**
 * OpenAI adds `usage: null` if usage was requested, but some clients refuse it (`@openrouter/sdk`); all accept a chunk
 * without it.
 */
function chunk(ask: OpenaiAsk, head: Head, index: number, delta: unknown, finish: string | null): string {
  return data({
    ...envelope(head),
    choices: [{ index, delta, logprobs: null, finish_reason: finish }],
    ...padding(ask),
  });
}

function envelope(head: Head): object {
  return {
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    service_tier: 'default',
    system_fingerprint: FINGERPRINT,
  };
}

function padding(ask: OpenaiAsk): object | false {
  return ask.obfuscate && { obfuscation: PADDING };
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function finishReason(answer: Answer): string | null {
  return answer.fault?.type === 'empty' ? null : FINISH_REASONS[answer.finish];
}

function lacksUsage(answer: Answer): boolean {
  return answer.fault?.type === 'usage' && answer.fault.manner === 'absent';
}

/** Prompt tokens include cached ones, completion tokens include thinking. */
function usage(ask: OpenaiAsk, answer: Answer): unknown {
  const prompt = ask.prompt.input + ask.prompt.cacheRead;
  const completion = answer.fault?.type === 'empty' ? 0 : answer.outputTokens * ask.choices;
  const manner = answer.fault?.type === 'usage' ? answer.fault.manner : null;
  if (manner === 'invalid') return { prompt_tokens: -1, completion_tokens: 'many', total_tokens: 1.5 };
  const reported = manner === 'huge' ? 1_000_000_000 : completion;
  return {
    prompt_tokens: prompt,
    completion_tokens: reported,
    total_tokens: prompt + reported,
    prompt_tokens_details: { cached_tokens: ask.prompt.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: answer.thinkingTokens * ask.choices,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function newCallId(): string {
  return newIdentifier('call_', CALL_ID_LENGTH);
}
