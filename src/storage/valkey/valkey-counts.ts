/**
 * Counts of calls, exchanged through Valkey: a hash for each key, project or account, with a field for each process that has counted calls
 * of it. A field has absolute numbers, so a batch that was sent twice, or a server that has lost everything, changes nothing for long.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CountAnswer, CountBatch, CountExchange, OwnCounts, ScopeRef, StoredCounts } from '../../limits/ports.ts';
import type { Valkey } from './valkey.ts';

const PERIOD_MS = 100;
const KEPT_MS = 3 * 60_000;
/** The day may have just begun, and the next one must find it gone. */
const DAY_KEPT_MS = 25 * 60 * 60_000;
const ANNOUNCED = 'announced';

export class ValkeyCounts implements CountExchange {
  readonly name = 'valkey';
  readonly periodMs = PERIOD_MS;
  readonly #valkey: Valkey;

  constructor(valkey: Valkey) {
    this.#valkey = valkey;
  }

  get place(): string {
    return this.#valkey.place;
  }

  get connection(): number {
    return this.#valkey.connections;
  }

  async exchange({ counter, minute, day, heardAt, counts, announced }: CountBatch): Promise<CountAnswer> {
    const names = announced.map(keyOf);
    const values = counts.flatMap((own) => [textOf(own, minute, day), own.today > 0 ? DAY_KEPT_MS : KEPT_MS]);
    const answer = await this.#valkey.run(
      'exchangeCounts',
      [ANNOUNCED, ...counts.map(keyOf)],
      [counter, minute, day, heardAt, names.length, ...names, ...values],
    );
    const [now, heard, others] = readAnswer(answer);
    return {
      nowMs: readNumber(now),
      announced: heard.map(scopeOf),
      others: await readOthers(others),
    };
  }
}

/** The script sends no more. */
const ANNOUNCED_MAX = 5_000;
/** One takes some two microseconds. */
const FIELDS_IN_TURN = 2_000;
/** Of a field, as `textOf` and the script write it. */
const WORDS = 13;
const LETTERS = { key: 'k', project: 'p', account: 'a' } as const;
const SCOPES = { k: 'key', p: 'project', a: 'account' } as const;

function keyOf({ scope, id }: ScopeRef): string {
  return `${LETTERS[scope]}${id}`;
}

function scopeOf(key: string): ScopeRef {
  const scope = SCOPES[key.charAt(0) as keyof typeof SCOPES];
  if (scope === undefined) throw nonsense();
  return { scope, id: readNumber(key.slice(1)) };
}

/** The script adds when it was sent, and reads the first three. */
function textOf(own: OwnCounts, minute: number, day: number): string {
  const { today, requests, requestsBefore, tokens, tokensBefore, running, share, used, asked, at } = own;
  const counts = `${today} ${requests} ${requestsBefore} ${tokens} ${tokensBefore} ${running}`;
  return `${minute} ${day} ${counts} ${share} ${used} ${asked} ${Math.floor(at)}`;
}

function countsOf(text: string): StoredCounts {
  const words = text.split(' ', WORDS + 1).map(readNumber);
  if (words.length !== WORDS) throw nonsense();
  const [minute, day, today, requests, requestsBefore, tokens, tokensBefore, running, ...more] = words;
  const [share, used, asked, at, sentAt] = more;
  const counts = { today, requests, requestsBefore, tokens, tokensBefore, running };
  return { minute, day, ...counts, share, used, asked, at, sentAt } as StoredCounts;
}

/** Not more in a turn than a few milliseconds' worth: many nodes may have counted calls of many scopes. */
async function readOthers(others: readonly (readonly string[])[]): Promise<readonly (readonly StoredCounts[])[]> {
  const read: (readonly StoredCounts[])[] = [];
  let inTurn = 0;
  for (const stored of others) {
    inTurn += stored.length;
    if (inTurn > FIELDS_IN_TURN) {
      await nextTurn();
      inTurn = stored.length;
    }
    read.push(stored.map(countsOf));
  }
  return read;
}

function readAnswer(answer: unknown): [string, readonly string[], readonly (readonly string[])[]] {
  const [now, heard, others] = Array.isArray(answer) ? answer : [];
  if (
    typeof now !== 'string' ||
    !isTexts(heard) ||
    heard.length > ANNOUNCED_MAX ||
    !Array.isArray(others) ||
    !others.every(isTexts)
  )
    throw nonsense();
  return [now, heard, others];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function readNumber(text: string): number {
  const number = text === '' || text.length > 16 ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw nonsense();
  return number;
}

function nonsense(): Error {
  return new Error('Valkey answered something that is no count; is another program using the same keys?');
}
