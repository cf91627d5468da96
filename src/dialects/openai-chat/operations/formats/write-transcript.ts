/**
 * A transcript in OpenAI's formats: https://platform.openai.com/docs/api-reference/audio/verbose-json-object. A segment has what is known of it: its place
 * and its text; tokens and their probabilities are left out.
 */
import { asText, type JsonObject } from '../../../../core/json-object.ts';
import { countSeconds } from '../../meter/count-seconds.ts';
import type { HeardSpeech } from './listen-answer.ts';

export interface TranscriptWish {
  readonly format: TranscriptFormat;
  /** As the caller states it; null if it does not. */
  readonly language: string | null;
  /** Whether the place of each word is wanted, and of each segment. */
  readonly words: boolean;
  readonly segments: boolean;
}

const WRITERS = {
  json: (heard: HeardSpeech) => JSON.stringify({ text: heard.text, ...usageOf(heard) }),
  text: ({ text }: HeardSpeech) => `${text}\n`,
  verbose_json: writeVerbose,
  srt: (heard: HeardSpeech) => writeCues(heard, ',', (index) => `${index + 1}\n`),
  vtt: (heard: HeardSpeech) => writeCues(heard, '.', () => '', 'WEBVTT\n\n'),
} as const satisfies Readonly<Record<string, (heard: HeardSpeech, wish: TranscriptWish) => string | null>>;

export type TranscriptFormat = keyof typeof WRITERS;

export function isTranscriptFormat(name: string): name is TranscriptFormat {
  return Object.hasOwn(WRITERS, name);
}

/** Null if a time that it needs is invalid. */
export function writeTranscript(heard: HeardSpeech, wish: TranscriptWish): string | null {
  return WRITERS[wish.format](heard, wish);
}

function writeVerbose(heard: HeardSpeech, wish: TranscriptWish): string | null {
  const words = wish.words ? readSpans(heard.words, wordOf) : [];
  const segments = wish.segments ? segmentsOf(heard) : [];
  if (words === null || segments === null) return null;
  const language = wish.language ?? heard.language;
  return JSON.stringify({
    task: 'transcribe',
    ...(language !== null && { language }),
    ...(countSeconds(heard.duration) !== null && { duration: Number(heard.duration) }),
    text: heard.text,
    ...(wish.words && { words: words.map(({ text, start, end }) => ({ word: text, start, end })) }),
    ...(wish.segments && {
      segments: segments.map(({ text, start, end }, id) => ({ id, start, end, text })),
    }),
    ...usageOf(heard),
  });
}

function usageOf({ duration }: HeardSpeech): object {
  const seconds = countSeconds(duration);
  return seconds === null ? {} : { usage: { type: 'duration', seconds } };
}

interface Span {
  readonly text: string;
  /** Seconds. */
  readonly start: number;
  readonly end: number;
}

/** Without utterances, all of it is one. */
function segmentsOf({ utterances, text, duration }: HeardSpeech): readonly Span[] | null {
  return readSpans(
    utterances ?? (text === '' ? [] : [{ transcript: text, start: 0, end: duration }]),
    ({ transcript }) => asText(transcript) ?? '',
  );
}

function wordOf({ punctuated_word: punctuated, word }: JsonObject): string {
  return asText(punctuated) ?? asText(word) ?? '';
}

function readSpans(list: readonly JsonObject[], textOf: (span: JsonObject) => string): readonly Span[] | null {
  const spans: Span[] = [];
  for (const span of list) {
    const { start, end } = span;
    if (!isTime(start) || !isTime(end)) return null;
    spans.push({ text: textOf(span), start, end });
  }
  return spans;
}

function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && countSeconds(seconds) !== null;
}

/** Subtitles: https://www.w3.org/TR/webvtt1/ and the older form, which counts them. */
function writeCues(heard: HeardSpeech, point: string, numbered: (index: number) => string, head = ''): string | null {
  const cues = segmentsOf(heard)?.map(
    ({ text, start, end }, index) =>
      `${numbered(index)}${clock(start, point)} --> ${clock(end, point)}\n${cueText(text)}\n\n`,
  );
  return cues === undefined ? null : head + cues.join('');
}

/** Neither a line break nor an arrow may be in the text of a cue. */
function cueText(text: string): string {
  return text.replaceAll(/[\r\n]/g, ' ').replaceAll('-->', '->');
}

function clock(seconds: number, point: string): string {
  const ms = Math.round(seconds * 1000);
  const [hours, minutes, rest] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, ms % 60_000];
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(hours)}:${two(minutes)}:${two(Math.floor(rest / 1000))}${point}${String(rest % 1000).padStart(3, '0')}`;
}
