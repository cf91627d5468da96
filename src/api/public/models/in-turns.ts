/** Work on long lists, a part per turn of the event loop, so that calls are served in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Those that `test` accepts, in the same order. `perTurn`: how many are tested before others run, a millisecond or two of work. */
export async function filterInTurns<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  perTurn: number,
): Promise<readonly Item[]> {
  if (items.length <= perTurn) return items.filter(test);
  const found: Item[] = [];
  for (let at = 0; at < items.length; at += perTurn) {
    if (at > 0) await nextTurn();
    for (const item of items.slice(at, at + perTurn)) if (test(item)) found.push(item);
  }
  return found;
}

/** What `change` makes of each; `perTurn` as above. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  change: (item: Item) => Result,
  perTurn: number,
): Promise<Result[]> {
  if (items.length <= perTurn) return items.map(change);
  const made: Result[] = [];
  for (let at = 0; at < items.length; at += perTurn) {
    if (at > 0) await nextTurn();
    for (const item of items.slice(at, at + perTurn)) made.push(change(item));
  }
  return made;
}

/** Entries of a list that is written at once, about 4 ms of work and half a megabyte. */
export const SHORT_LIST_MAX = 500;
const ENTRIES_PER_TURN = 200;

/** A JSON text; a long one in parts, each written once the one before was taken. */
export type ListText = string | AsyncIterable<string>;

/** `head`, the entries between brackets, then `tail`. */
export function writeList<Item>(
  head: string,
  items: readonly Item[],
  write: (item: Item) => string,
  tail: string,
): ListText {
  if (items.length > SHORT_LIST_MAX) return writeInTurns(head, items, write, tail);
  return `${head}[${items.map(write).join(',')}]${tail}`;
}

async function* writeInTurns<Item>(
  head: string,
  items: readonly Item[],
  write: (item: Item) => string,
  tail: string,
): AsyncGenerator<string> {
  for (let at = 0; at < items.length; at += ENTRIES_PER_TURN) {
    if (at > 0) await nextTurn();
    const texts = items.slice(at, at + ENTRIES_PER_TURN).map(write);
    yield `${at === 0 ? `${head}[` : ','}${texts.join(',')}`;
  }
  yield `]${tail}`;
}
