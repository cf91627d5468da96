/**
 * Ids of tool calls. Formats differ in the characters and the length that they accept, and a caller's ids may come from another provider,
 * so a writer adapts them to its format.
 */
import { createHash } from 'node:crypto';

/** What a format accepts as the id of a tool call. */
export interface ToolIdRule {
  /** Matches a whole id with only accepted characters, e.g. `/^[a-zA-Z0-9_-]+$/`; without the flags `g` and `y`. */
  readonly pattern: RegExp;
  /** In characters; at least 16. */
  readonly lengthMax: number;
}

/**
 * Returns the id itself if the format accepts it. Otherwise replaces the other characters and adds a short hash of the original: the same
 * id always gives the same result, so that a call still matches its result, and different ids stay different.
 */
export function fitToolId(id: string, rule: ToolIdRule): string {
  if (id.length <= rule.lengthMax && rule.pattern.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH_LENGTH);
  const lengthLeft = rule.lengthMax - HASH_LENGTH - 1;
  const cleaned = Array.from(id.slice(0, lengthLeft), (character) =>
    rule.pattern.test(character) ? character : '_',
  ).join('');
  return `${cleaned === '' ? 'call' : cleaned}_${hash}`;
}

/** 48 bits: a conversation has a few thousand calls at most. */
const HASH_LENGTH = 12;
