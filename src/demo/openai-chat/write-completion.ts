/** Writes what a model made of each prompt, whole and streamed: https://platform.openai.com/docs/api-reference/completions/object */
import type { Answer, Part } from '../answer.ts';
import type { Ask } from '../ask.ts';
import type { Frame, Writing } from '../frame.ts';
import { newIdentifier } from '../identifiers.ts';
import type { CompletionAsk } from './read-completion.ts';

const ID_LENGTH = 29;

/** An answer to each prompt, in order. */
export function writeCompletion(
  asked: CompletionAsk,
  answers: readonly Answer[],
  model: string,
  nowMs: number,
): Writing {
  const head = { id: newIdentifier('cmpl-', ID_LENGTH), object: 'text_completion', created: Math.floor(nowMs / 1000) };
  const choices = asked.asks.flatMap((ask, at) => choicesOf(asked, ask, answers[at] as Answer, at));
  return {
    body: () => {
      const texts = choices.map(({ pieces, ...choice }) => ({ text: pieces.join(''), ...choice }));
      return JSON.stringify({ ...head, model, choices: texts, ...usageOf(asked, answers) });
    },
    frames: () => frames(asked, choices, (more) => data({ ...head, ...more, model }), usageOf(asked, answers)),
    errorFrame: () =>
      data({ error: { message: 'The demo provider broke off.', type: 'server_error', param: null, code: null } }),
  };
}

interface Choice {
  readonly pieces: readonly string[];
  readonly index: number;
  readonly logprobs: null;
  readonly finish_reason: string | null;
}

function choicesOf({ isEcho }: CompletionAsk, ask: Ask, answer: Answer, at: number): readonly Choice[] {
  const isEmpty = answer.fault?.type === 'empty';
  const pieces = isEmpty ? [] : answer.parts.flatMap(piecesOf);
  return Array.from({ length: ask.choices }, (_, choice) => ({
    pieces: isEcho ? [ask.userText, ...pieces] : pieces,
    index: at * ask.choices + choice,
    logprobs: null,
    finish_reason: isEmpty ? null : answer.finish === 'length' ? 'length' : 'stop',
  }));
}

function piecesOf(part: Part): readonly string[] {
  return part.type === 'text' ? part.pieces : [];
}

function* frames(
  { includeUsage }: CompletionAsk,
  choices: readonly Choice[],
  chunk: (more: object) => string,
  usage: object,
): Iterable<Frame> {
  for (const { pieces, finish_reason, ...choice } of choices) {
    for (const text of pieces)
      yield { text: chunk({ choices: [{ text, ...choice, finish_reason: null }] }), isToken: true };
    yield { text: chunk({ choices: [{ text: '', ...choice, finish_reason }] }), isToken: false };
  }
  if (includeUsage && 'usage' in usage) yield { text: chunk({ choices: [], ...usage }), isToken: false };
  yield { text: 'data: [DONE]\n\n', isToken: false };
}

/** All candidates count, whether or not they are shown. */
function usageOf({ asks, candidates }: CompletionAsk, answers: readonly Answer[]): object {
  const [fault] = answers.map((answer) => answer.fault);
  const manner = fault?.type === 'usage' ? fault.manner : null;
  if (manner === 'absent') return {};
  if (manner === 'invalid') return { usage: { prompt_tokens: -1, completion_tokens: 'many', total_tokens: 1.5 } };
  const prompt = asks.reduce((sum, ask) => sum + ask.prompt.input, 0);
  const written = answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0) * candidates;
  const completion = manner === 'huge' ? 1_000_000_000 : fault?.type === 'empty' ? 0 : written;
  const total = prompt + completion;
  return { usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } };
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
