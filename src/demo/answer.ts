/** A demo model's answer, before a dialect writes it. */
import type { Ask } from './ask.ts';
import { CONTEXT_WINDOW, OUTPUT_CAP, OUTPUT_CHARACTERS_MAX } from './limits.ts';
import { signThinking } from './thinking.ts';
import { countTokens, splitTokens } from './words.ts';

export interface Answer {
  readonly parts: readonly Part[];
  readonly finish: Finish;
  /** The stop sequence that ended it, or null. */
  readonly stopSequence: string | null;
  /** All output tokens, thinking included. */
  readonly outputTokens: number;
  readonly thinkingTokens: number;
  /** Null: as fast as the reader reads. */
  readonly tokensPerSecond: number | null;
  readonly fault: Fault | null;
}

/** `pieces` are the tokens, in order; a stream has one per frame. */
export type Part =
  | { readonly type: 'thinking'; readonly pieces: readonly string[]; readonly signature: string }
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'tool-call'; readonly name: string; readonly pieces: readonly string[] };

export type Finish = 'stop' | 'length' | 'stop-sequence' | 'tool-calls';

/** What `demo/flaky` does wrong on request. */
export type Fault =
  /** Waits this long before the first byte. */
  | { readonly type: 'late'; readonly delayMs: number }
  /** Resets the connection before any byte. */
  | { readonly type: 'reset' }
  | { readonly type: 'redirect' }
  /** Breaks an answer after this many tokens; a whole answer breaks in its middle. */
  | { readonly type: 'break'; readonly manner: BreakManner; readonly afterTokens: number }
  | { readonly type: 'usage'; readonly manner: 'absent' | 'invalid' | 'huge' }
  /** An empty answer without a finish reason. */
  | { readonly type: 'empty' };

/**
 * `cut`: the connection is reset. `truncate`: the body ends properly, the answer does not.
 * `hang`: silence on an open connection. `garbage`: bytes that are neither events nor JSON.
 * `error`: an error in the dialect's own in-stream form.
 */
export type BreakManner = 'cut' | 'truncate' | 'hang' | 'garbage' | 'error';

const THOUGHT = 'The demo provider thinks before it answers, in exactly eleven words.';

export interface AnswerOptions {
  readonly tokensPerSecond?: number | null;
  readonly fault?: Fault | null;
}

/** A text answer: thinking first if requested, cut at stop sequences and at the output cap. */
export function answerText(ask: Ask, text: string, options: AnswerOptions = {}): Answer {
  const stop = firstStop(text, ask.stops);
  const shown = stop === null ? text : text.slice(0, stop.at);
  const characters = Math.floor(OUTPUT_CHARACTERS_MAX / ask.choices);
  // One token more than fits, to show that there is more.
  const pieces = splitTokens(shown, OUTPUT_CAP + 1);
  const parts: Part[] = [{ type: 'text', pieces: shown.length > characters ? within(pieces, characters) : pieces }];
  if (shown.length > characters) return fit(ask, parts, 'length', null, options);
  return fit(ask, parts, stop === null ? 'stop' : 'stop-sequence', stop?.sequence ?? null, options);
}

/** An answer that calls tools; `argumentsJson` is one JSON object in text. */
export function answerWithTools(
  ask: Ask,
  calls: readonly { readonly name: string; readonly argumentsJson: string }[],
): Answer {
  const parts = calls.map(
    (call): Part => ({ type: 'tool-call', name: call.name, pieces: splitTokens(call.argumentsJson) }),
  );
  return fit(ask, parts, 'tool-calls', null, {});
}

/** Thinking and text are cut at the cap; a tool call that does not fit is left out. */
function fit(
  ask: Ask,
  wanted: readonly Part[],
  finish: Finish,
  stopSequence: string | null,
  options: AnswerOptions,
): Answer {
  const parts: Part[] = [];
  let left = Math.min(ask.outputCap ?? OUTPUT_CAP, outputMaxOf(ask));
  let complete = true;
  let thinkingTokens = 0;
  for (const part of [...thinkingParts(ask), ...wanted]) {
    const tokens = tokensOf(part);
    if (tokens > left) complete = false;
    if (tokens > left && part.type === 'tool-call') break;
    const kept = tokens > left ? { ...part, pieces: part.pieces.slice(0, left) } : part;
    const used = Math.min(tokens, left);
    left -= used;
    if (kept.type === 'thinking') thinkingTokens = used;
    if (kept.type !== 'thinking' || ask.thinking !== 'counted') parts.push(resign(kept));
    if (!complete) break;
  }
  return {
    parts,
    finish: complete ? finish : 'length',
    stopSequence: complete ? stopSequence : null,
    outputTokens:
      thinkingTokens + parts.reduce((sum, part) => sum + (part.type === 'thinking' ? 0 : tokensOf(part)), 0),
    thinkingTokens,
    tokensPerSecond: options.tokensPerSecond ?? null,
    fault: options.fault ?? null,
  };
}

/** Tokens that the model may write for one choice. */
function outputMaxOf({ prompt, choices }: Ask): number {
  const read = prompt.input + prompt.cacheRead + prompt.cacheWrite5m + prompt.cacheWrite1h;
  return Math.min(Math.floor(OUTPUT_CAP / choices), CONTEXT_WINDOW - read);
}

/** As many of the first tokens as fit into `characters`. */
function within(pieces: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const end = pieces.findIndex((piece) => {
    left -= piece.length;
    return left < 0;
  });
  return end === -1 ? pieces : pieces.slice(0, end);
}

function thinkingParts(ask: Ask): Part[] {
  return ask.thinking === 'none'
    ? []
    : [{ type: 'thinking', pieces: splitTokens(THOUGHT), signature: signThinking(THOUGHT) }];
}

/** Thinking that was cut gets a new signature. */
function resign(part: Part): Part {
  return part.type === 'thinking' ? { ...part, signature: signThinking(part.pieces.join('')) } : part;
}

function tokensOf(part: Part): number {
  return part.type === 'tool-call' ? part.pieces.length + countTokens(part.name) : part.pieces.length;
}

function firstStop(text: string, stops: readonly string[]): { at: number; sequence: string } | null {
  let first: { at: number; sequence: string } | null = null;
  for (const sequence of stops) {
    const at = sequence === '' ? -1 : text.indexOf(sequence);
    if (at !== -1 && (first === null || at < first.at)) first = { at, sequence };
  }
  return first;
}
