/**
 * Ids of tool calls. Formats differ in the characters and the length they take, and a caller may have
 * made its ids with another provider, so a writer fits them to its own format.
 */
import { createHash } from 'node:crypto';

/** What a format takes as an id of a tool call. */
export interface ToolIdRule {
  /** Matches a whole id that has only characters the format takes, as `/^[a-zA-Z0-9_-]+$/`; without the flags `g` and `y`. */
  readonly pattern: RegExp;
  /** In characters; at least 16. */
  readonly lengthMax: number;
}

/**
 * The id itself where the format takes it. Any other is cleaned and given a short hash of what it was: the same
 * id always becomes the same, so a call and its result stay together, and two ids stay two.
 */
export function fitToolId(id: string, rule: ToolIdRule): string {
  if (id.length <= rule.lengthMax && rule.pattern.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH_LENGTH);
  const room = rule.lengthMax - HASH_LENGTH - 1;
  const cleaned = Array.from(id.slice(0, room), (character) => (rule.pattern.test(character) ? character : '_')).join(
    '',
  );
  return `${cleaned === '' ? 'call' : cleaned}_${hash}`;
}

/** 48 bits: a conversation has some thousand calls at most. */
const HASH_LENGTH = 12;
