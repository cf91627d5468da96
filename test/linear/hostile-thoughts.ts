/** Conversations in which much looks like a signature of thoughts, for the search of the last one. Each in any format. */
import type { CallerDialectName } from '../../src/dialects/index.ts';
import { type Random, textOf, times } from './hostile-values.ts';

/** What each format calls it. */
export const SIGNATURE_NAMES: Readonly<Record<CallerDialectName, string>> = {
  'openai-chat': 'reasoning_details',
  'anthropic-messages': 'signature',
  'openai-responses': 'encrypted_content',
  gemini: 'thoughtSignature',
};

/** The parts of a conversation; `name` with its quotes. */
type WriteParts = (name: string, random: Random, size: number) => string;

const families: Readonly<Record<string, WriteParts>> = {
  'signatures in no thought': (name, random, size) => times(size, () => `{"text":${quoted(random, 5)},${name}:"EqQB"}`),
  'values that are no text': (name, _random, size) =>
    times(size, (index) => `{${name}:${index}},{${name}:[{"a":"b"}]}`),
  'the name without a value': (name, _random, size) => times(size, () => `{"a":${name}}`),
  'the name inside texts': (name, _random, size) => times(size, () => JSON.stringify(`say ${name}:"x" again`)),
  'white space around the colon': (name, _random, size) =>
    times(9, () => `{${name}${' \n'.repeat(size)}:${'\t '.repeat(size)}""}`),
  'a long value': (name, random, size) => `{"type":"thinking",${name}:${quoted(random, size * 20)}}`,
  'a value of backslashes': (name, _random, size) => times(9, () => `{${name}:"${'\\\\'.repeat(size * 4)}"}`),
  'a value of escaped quotes': (name, _random, size) => times(9, () => `{"a":"${'\\"'.repeat(size * 4)}",${name}:"x"}`),
  'a thought of many fields': (name, random, size) =>
    times(9, () => `{${times(size, (index) => `"f${index}":${quoted(random, 3)}`)},${name}:"x","type":"thinking"}`),
  'a thought of long texts': (name, random, size) =>
    times(9, () => `{"type":"thinking","thinking":${quoted(random, size * 4)},${name}:"tp1.a.b"}`),
  'nested objects before it': (name, _random, size) =>
    times(9, () => `{"a":${'[{"b":'.repeat(size)}1${'}]'.repeat(size)},${name}:"x"}`),
  'many details of thoughts': (name, random, size) =>
    `{${name}:[${times(size, () => `{"type":"reasoning.text","text":${quoted(random, 4)},"signature":"x"}`)}]}`,
  'turns of thoughts without a value': (name, random, size) =>
    times(size, () => `{"role":"assistant",${name}:[{"type":"reasoning.text","text":${quoted(random, 9)}}]}`),
  'redacted thoughts without data': (_name, random, size) =>
    times(size, () => `{"type":"redacted_thinking","text":${quoted(random, 5)}}`),
  'redacted thoughts of long data': (_name, random, size) =>
    times(9, () => `{"type":"redacted_thinking","data":${quoted(random, size * 4)}}`),
  'a redacted thought of many fields': (_name, random, size) =>
    times(
      9,
      () => `{${times(size, (index) => `"f${index}":${quoted(random, 3)}`)},"type":"redacted_thinking","data":"x"}`,
    ),
  'the redacted type as other values': (_name, random, size) =>
    times(size, () => `{"data":${quoted(random, 5)},"text":"redacted_thinking"}`),
  'long texts around the redacted type': (_name, random, size) =>
    times(9, () => `{"a":${quoted(random, size * 4)},"b":"redacted_thinking","data":${quoted(random, size * 4)}}`),
};

function quoted(random: Random, length: number): string {
  return JSON.stringify(textOf(random, length));
}

/** Bodies by what is in them. */
export function hostileThoughts(
  dialect: CallerDialectName,
): readonly { readonly name: string; write(random: Random, size: number): string }[] {
  const name = JSON.stringify(SIGNATURE_NAMES[dialect]);
  return Object.entries(families).map(([family, write]) => ({
    name: family,
    write: (random, size) => `{"model":"m","messages":[${write(name, random, size)}]}`,
  }));
}
