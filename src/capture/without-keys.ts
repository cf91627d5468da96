/** A short text without what looks like a key or a password. */
import { findAuthorizations, findKnownKeys, findNamedKeys, findPasswords, findPrivateKeys } from './find-keys.ts';

const PASSES = [findKnownKeys, findNamedKeys, findAuthorizations, findPasswords, findPrivateKeys];

/** `text` of some hundred characters: it is looked through in one go. */
export function withoutKeys(text: string): string {
  const spans = PASSES.flatMap((find) => [...find(text)].filter((span) => span !== null));
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start);
  let redacted = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    if (end <= from) continue;
    if (start >= from) redacted += `${text.slice(from, start)}[${kind}]`;
    from = end;
  }
  return redacted + text.slice(from);
}
