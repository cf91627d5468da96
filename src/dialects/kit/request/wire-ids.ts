/**
 * Ids of tool calls as Claude's and Bedrock's formats accept them: other characters are a 400, and so is a duplicate id in a request. Other
 * providers count their calls from zero in every turn.
 */
import { fitToolId } from '../../../chat/ids.ts';

const RULE = { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 } as const;

export class WireIds {
  readonly #used = new Set<string>();
  /** How often each id has occurred, so that no suffix is tried twice. */
  readonly #counts = new Map<string, number>();
  /** The calls so far, each with the id assigned last: a result belongs to the last call with its id. */
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
