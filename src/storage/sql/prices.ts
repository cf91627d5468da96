/** Price versions: a settlement refers to one, so that its cost can always be recomputed to the nano-USD. */

import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Insertable, Kysely } from 'kysely';
import type { PricedTarget, PriceStore, Prices, PriceVersion } from '../../billing/ports.ts';
import { assert } from '../../core/assert.ts';
import type { Clock } from '../../core/clock.ts';
import { type PriceVersionId, priceVersionId } from '../../core/ids.ts';
import { isObject } from '../../core/json-object.ts';
import { type PicoUsd, picoUsd } from '../../core/money.ts';
import type { PriceVersionRow, Schema } from './schema.ts';
import { readable } from './stored-json.ts';

/** A statement has a limited number of parameters. */
const CHUNK_ROWS = 500;
/** Rows that are hashed before others run: about 2 ms. */
const TURN_ROWS = 200;
const HISTORY_MAX = 100;

export class SqlPriceStore implements PriceStore {
  readonly #database: Kysely<Schema>;
  readonly #clock: Clock;

  constructor(database: Kysely<Schema>, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * A price that is restored after a change gets its old version: the recomputed cost is the same. Works in turns of the event loop; a
   * version is never changed or removed, so finding them needs no transaction.
   */
  async pin(targets: readonly PricedTarget[]): Promise<readonly PriceVersionId[]> {
    const createdAt = this.#clock.now();
    const rows: Insertable<PriceVersionRow>[] = [];
    for (const [at, target] of targets.entries()) {
      if (at % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
      rows.push(versionRow(target, createdAt));
    }
    const ids = await findVersions(this.#database, rows);
    const missing = rows.filter((row) => !ids.has(row.hash));
    if (missing.length > 0) {
      await this.#add(missing);
      for (const [hash, id] of await findVersions(this.#database, missing)) ids.set(hash, id);
    }
    return rows.map((row) => {
      const id = ids.get(row.hash);
      assert(id !== undefined, 'a price version that was just written can be read');
      return id;
    });
  }

  /** All of them or none. */
  async #add(rows: readonly Insertable<PriceVersionRow>[]): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      for (const chunk of chunks(rows)) {
        await transaction
          .insertInto('price_versions')
          .values(chunk)
          .onConflict((conflict) => conflict.column('hash').doNothing())
          .execute();
        await nextTurn();
      }
    });
  }

  async history(model: string): Promise<readonly PriceVersion[]> {
    const rows = await this.#database
      .selectFrom('price_versions')
      .select(['id', 'provider', 'upstream_model', 'prices', 'created_at'])
      .where('model', '=', model)
      .orderBy('id', 'desc')
      .limit(HISTORY_MAX)
      .execute();
    return rows.map((row) => ({
      id: priceVersionId(row.id),
      provider: row.provider,
      upstreamModel: row.upstream_model,
      prices: readable('price version', row.id, () => readPrices(row.prices)),
      createdAt: row.created_at,
    }));
  }

  async read(id: PriceVersionId): Promise<Prices | null> {
    const row = await this.#database
      .selectFrom('price_versions')
      .select('prices')
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : readable('price version', id, () => readPrices(row.prices));
  }
}

async function findVersions(
  database: Kysely<Schema>,
  rows: readonly Insertable<PriceVersionRow>[],
): Promise<Map<string, PriceVersionId>> {
  const ids = new Map<string, PriceVersionId>();
  for (const chunk of chunks(rows)) {
    const hashes = chunk.map((row) => row.hash);
    const found = await database
      .selectFrom('price_versions')
      .select(['hash', 'id'])
      .where('hash', 'in', hashes)
      .execute();
    for (const { hash, id } of found) ids.set(hash, priceVersionId(id));
    if (chunk.length === CHUNK_ROWS) await nextTurn();
  }
  return ids;
}

function versionRow(target: PricedTarget, createdAt: number): Insertable<PriceVersionRow> {
  const { model, provider, upstreamModel } = target;
  const prices = writePrices(target.prices);
  const hash = createHash('sha256')
    .update(JSON.stringify([model, provider, upstreamModel, prices]))
    .digest('hex');
  return { model, provider, upstream_model: upstreamModel, prices, hash, created_at: createdAt };
}

/**
 * The same prices give the same text: fields in order of name, absent ones left out, integers as strings. A list without units has no field for
 * them, so it has the text, and the version, that it had before there were any.
 */
export function writePrices({ units, ...prices }: Prices): string {
  return JSON.stringify(units.length === 0 ? prices : { ...prices, units }, (_name, field: unknown) => {
    if (typeof field === 'bigint') return field.toString();
    if (!isObject(field)) return field;
    const present = Object.entries(field).filter(([, value]) => value !== null);
    return Object.fromEntries(present.sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}

type Written<Lines> = { readonly [Line in keyof Lines]?: string | number | null };

/** The inverse of `writePrices`; lines that were left out are null. */
export function readPrices(text: string): Prices {
  const { tiers, units = [], ...lines } = JSON.parse(text) as Written<PriceLines> & WrittenLists;
  return {
    ...readLines(lines),
    units: units.map(({ unit, price }) => ({ unit, price: picoUsd(BigInt(price)) })),
    tiers: tiers.map(({ abovePromptTokens, ...tierLines }) => ({ ...readLines(tierLines), abovePromptTokens })),
  };
}

type PriceLines = Omit<Prices, 'tiers' | 'units'>;
interface WrittenLists {
  readonly tiers: readonly WrittenTier[];
  readonly units?: readonly { readonly unit: string; readonly price: string }[];
}
type WrittenTier = Written<PriceLines> & { readonly abovePromptTokens: number };

function readLines(lines: Written<PriceLines>): PriceLines {
  return {
    input: readPrice(lines.input) ?? NO_PRICE,
    output: readPrice(lines.output) ?? NO_PRICE,
    cacheRead: readPrice(lines.cacheRead),
    cacheWrite: readPrice(lines.cacheWrite),
    cacheWrite1h: readPrice(lines.cacheWrite1h),
    inputAudio: readPrice(lines.inputAudio),
    outputAudio: readPrice(lines.outputAudio),
    cacheReadAudio: readPrice(lines.cacheReadAudio),
    inputImage: readPrice(lines.inputImage),
    outputImage: readPrice(lines.outputImage),
    reasoning: readPrice(lines.reasoning),
    image: readPrice(lines.image),
    request: readPrice(lines.request),
    webSearch: readPrice(lines.webSearch),
    fileSearch: readPrice(lines.fileSearch),
    codeInterpreter: readPrice(lines.codeInterpreter),
  };
}

const NO_PRICE = picoUsd(0n);

function readPrice(written: string | number | null | undefined): PicoUsd | null {
  return written === undefined || written === null ? null : picoUsd(BigInt(written));
}

function chunks<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / CHUNK_ROWS) }, (_, index) =>
    rows.slice(index * CHUNK_ROWS, (index + 1) * CHUNK_ROWS),
  );
}
