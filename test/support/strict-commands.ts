/**
 * The commands the strict providers obey, and what each makes a model say. A command is the last
 * text of a user; what follows it in the conversation are calls and their results.
 *
 *   say <text> | think <text> | think then <command> | think twice then <command> | call <tool> [<json>] | call two
 *   loop <rounds> <tool> | note then call <tool> [<json>] | redacted <text> | json | refuse | long
 *   cite <number> <text> | cached | fail-in-stream | cut | hold <words> | overflow | status <number>
 */
import { createHmac } from 'node:crypto';
import type { JsonObject, StreamEnd } from './strict-server.ts';

export interface PlannedCall {
  readonly name: string;
  /** Null: the model returns none. */
  readonly input: JsonObject | null;
}

export interface Plan {
  readonly thinking: string | null;
  readonly redacted: boolean;
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  readonly refusal: string | null;
  readonly finish: 'end' | 'calls' | 'cap' | 'stop' | 'refusal';
  readonly stopSequence: string | null;
  readonly end: StreamEnd | 'error';
  /** Whether a part of the prompt came from a cache and a part went into it. */
  readonly cached: boolean;
  /** How many pages the text cites. */
  readonly citations: number;
}

export interface Asked {
  readonly command: string;
  /** Of the calls since the command, in the order of the request. */
  readonly results: readonly string[];
  /** How many turns of calls there were since the command. */
  readonly rounds: number;
  readonly thinks: boolean;
  readonly cap: number;
  readonly stop: readonly string[];
}

/** The reported size of every prompt, and of a cached one in addition. */
export const PROMPT_TOKENS = 100;
export const CACHE_READ_TOKENS = 40;
export const CACHE_WRITE_TOKENS = 10;
/** The reported input of count_tokens. */
export const COUNTED_TOKENS = 4_242;
export const REFUSAL_TEXT = 'I cannot help with that.';
export const STRUCTURED_TEXT = '{"city":"Rome","degrees":21}';
export const LONG_TEXT = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');

const NOTHING: Plan = {
  thinking: null,
  redacted: false,
  text: '',
  calls: [],
  refusal: null,
  finish: 'end',
  stopSequence: null,
  end: 'end',
  cached: false,
  citations: 0,
};

/** The second thought is one that is not shown. */
const THINKS_TWICE = 'think twice then ';
const THINKING_FIRST = ['think then ', THINKS_TWICE];

export function planOf(asked: Asked): Plan {
  const first = THINKING_FIRST.find((words) => asked.command.startsWith(words));
  const command = first === undefined ? asked.command : asked.command.slice(first.length);
  const plan = bounded(commanded({ ...asked, command }), asked);
  const thinking = first === undefined ? plan.thinking : `Round ${asked.rounds} of ${command}.`;
  const redacted = plan.redacted || first === THINKS_TWICE;
  return { ...plan, thinking: asked.thinks ? thinking : null, redacted: asked.thinks && redacted };
}

function commanded({ command, results, rounds }: Asked): Plan {
  const [verb = '', ...words] = command.split(' ');
  const rest = words.join(' ');
  const loops = verb === 'loop' && rounds < Number(words[0]);
  if (results.length > 0 && !loops) return { ...NOTHING, text: `results: ${results.join(' | ')}` };
  switch (verb) {
    case 'say':
      return { ...NOTHING, text: rest };
    case 'cite':
      return { ...NOTHING, text: words.slice(1).join(' '), citations: Number(words[0]) };
    case 'think':
      return { ...NOTHING, thinking: `Now about ${rest}.`, text: rest };
    case 'redacted':
      return { ...NOTHING, redacted: true, text: rest };
    case 'call':
      return called('', rest);
    case 'note':
      return called('Let me look.', words.slice(2).join(' '));
    case 'loop':
      return called('', `${words[1] ?? ''} {"round":${rounds + 1}}`);
    case 'json':
      return { ...NOTHING, text: STRUCTURED_TEXT };
    case 'refuse':
      return { ...NOTHING, refusal: REFUSAL_TEXT, finish: 'refusal' };
    case 'long':
      return { ...NOTHING, text: LONG_TEXT };
    case 'cached':
      return { ...NOTHING, text: 'from the cache', cached: true };
    case 'fail-in-stream':
      return { ...NOTHING, text: 'as far as it goes', end: 'error' };
    case 'cut':
      return { ...NOTHING, text: 'as far as it goes', end: 'break' };
    case 'hold':
      return { ...NOTHING, text: LONG_TEXT.split(' ').slice(0, Number(rest)).join(' '), end: 'hold' };
    default:
      return { ...NOTHING, text: `unknown command: ${command}` };
  }
}

function called(text: string, words: string): Plan {
  const calls =
    words === 'two'
      ? [
          { name: 'get_weather', input: { city: 'Rome' } },
          { name: 'get_time', input: { zone: 'CET' } },
        ]
      : [callOf(words)];
  return { ...NOTHING, text, calls, finish: 'calls' };
}

function callOf(words: string): PlannedCall {
  const blank = words.indexOf(' ');
  if (blank === -1) return { name: words, input: null };
  return { name: words.slice(0, blank), input: JSON.parse(words.slice(blank + 1)) as JsonObject };
}

/** What the cap and the stop sequences leave of it. */
function bounded(plan: Plan, { cap, stop }: Asked): Plan {
  const met = stop
    .map((sequence) => ({ sequence, at: plan.text.indexOf(sequence) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at)[0];
  if (met !== undefined) {
    return { ...plan, text: plan.text.slice(0, met.at), calls: [], finish: 'stop', stopSequence: met.sequence };
  }
  const words = pieces(plan.text);
  return words.length > cap ? { ...plan, text: words.slice(0, cap).join(''), calls: [], finish: 'cap' } : plan;
}

/** As in a stream: one word each, with the space before it. */
export function pieces(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
}

/** In the smallest pieces that a client must join again. */
export function fragments(json: string): readonly string[] {
  return json.match(/.{1,5}/gs) ?? [];
}

export function outputTokens({ thinking, text, refusal, calls }: Plan): number {
  return pieces(`${thinking ?? ''} ${text} ${refusal ?? ''}`).length + 5 * calls.length;
}

export function reasoningTokens({ thinking }: Plan): number {
  return pieces(thinking ?? '').length;
}

/** Commands that are refused before an answer; for others it returns. */
export function numberOf(command: string, verb: string): number | null {
  return command.startsWith(`${verb} `) ? Number(command.slice(verb.length + 1)) : null;
}

/** A signature covers its text; without the text it still proves whose it is. */
export function sign(text: string): string {
  const digest = hmac(text);
  return Buffer.concat([digest, hmac(digest)]).toString('base64');
}

/** In either alphabet: Google's clients for Python write the one for URLs. */
export function isSigned(text: string, signature: unknown): boolean {
  if (typeof signature !== 'string') return false;
  const bytes = Buffer.from(signature, 'base64');
  const digest = bytes.subarray(0, DIGEST_BYTES);
  return hmac(digest).equals(bytes.subarray(DIGEST_BYTES)) && (text === '' || hmac(text).equals(digest));
}

const DIGEST_BYTES = 32;

function hmac(text: string | Buffer): Buffer {
  return createHmac('sha256', 'strict').update(text).digest();
}
