/**
 * Ids of tool calls as the Messages API takes them: other characters than these are a 400, and so is an id that comes twice in a
 * request. Other providers count their calls from zero in every turn.
 */
import { fitToolId } from '../../../chat/ids.ts';

const RULE = { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 } as const;

export class WireIds {
  readonly #used = new Set<string>();
  /** How often each id came, so that none is tried twice. */
  readonly #counts = new Map<string, number>();
  /** The calls made so far, each with the id it was last given: a result belongs to the last call of its name. */
  readonly #given = new Map<string, string>();

  call(id: string): string {
    let count = (this.#counts.get(id) ?? 0) + 1;
    let wireId = fitToolId(count === 1 ? id : `${id}#${count}`, RULE);
    while (this.#used.has(wireId)) {
      count++;
      wireId = fitToolId(`${id}#${count}`, RULE);
    }
    this.#counts.set(id, count);
    this.#used.add(wireId);
    this.#given.set(id, wireId);
    return wireId;
  }

  result(callId: string): string {
    return this.#given.get(callId) ?? fitToolId(callId, RULE);
  }
}
