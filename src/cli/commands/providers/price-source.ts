/** Where a price table is read from: a file, standard input, or an address that the operator gives. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { knownModels } from '../../../catalog/models.ts';
import { writeOwnRow } from '../../../catalog/price-tables/own-prices.ts';
import { readPriceTable } from '../../../catalog/price-tables/read-price-table.ts';
import type { PriceTable, TableRow } from '../../../catalog/price-tables/table-row.ts';
import type { CommandContext } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { readJson } from '../../output.ts';

/** The largest table known has 2 MB. */
const TABLE_BYTES_MAX = 32 * 1024 * 1024;
const FETCH_MS = 30_000;
const NAMED_MAX = 10;

export interface ReadTable {
  readonly format: PriceTable['format'];
  /** As the management API takes them: those that the catalogue may have. */
  readonly prices: readonly object[];
  /** How many rows are of no model that is known or served. */
  readonly unknown: number;
}

/** Throws `UsageError` or `CommandFailed` that says what is wrong, and where. */
export async function readTable(context: CommandContext, from: string): Promise<ReadTable> {
  const text = await readSource(context, from);
  let table: PriceTable;
  try {
    table = readPriceTable(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandFailed(`${from} is no price table: ${error.message}.`);
  }
  if (table.faults.length > 0) {
    const more = table.faults.length > NAMED_MAX ? `\n  and ${table.faults.length - NAMED_MAX} more` : '';
    throw new CommandFailed(
      `${from} has rows that cannot be used; nothing was changed:\n  ${table.faults.slice(0, NAMED_MAX).join('\n  ')}${more}`,
    );
  }
  const served = await servedAt(context);
  const wanted = table.format === 'turnpike' ? table.rows : table.rows.filter((row) => served(row));
  return {
    format: table.format,
    prices: wanted.map(({ place: _place, ...row }) => writeOwnRow(row)),
    unknown: table.rows.length - wanted.length,
  };
}

async function readSource(context: CommandContext, from: string): Promise<string> {
  if (from === '-') return readFileSync(0, 'utf8');
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(from)) return fetchTable(from);
  try {
    return readFileSync(resolve(context.cwd, from), 'utf8');
  } catch (error) {
    throw new CommandFailed(`${from} cannot be read: ${(error as Error).message}`);
  }
}

/** Only over https, without redirects: the prices decide what callers are charged. */
async function fetchTable(address: string): Promise<string> {
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw new UsageError(`${address} is not an https address; save the table in a file, or use https`);
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) });
    if (!response.ok) throw new Error(`the answer is ${response.status}`);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > TABLE_BYTES_MAX) throw new Error(`it has more than ${TABLE_BYTES_MAX / 1024 / 1024} MiB`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    const { message, cause } = error as Error;
    throw new CommandFailed(`${address} cannot be read: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** Whether a row is of a model that is built in, or served by a provider of that name. */
async function servedAt(context: CommandContext): Promise<(row: TableRow) => boolean> {
  const control = await context.control();
  const { data } = readJson<{
    data: readonly { targets: readonly { provider: string; upstream_model: string }[] }[];
  }>(await control.call('GET', '/control/api/offered-models'));
  const places = new Set([
    ...knownModels().flatMap(({ targets }) => targets.map((each) => keyOf(each.provider, each.upstreamModel))),
    ...data.flatMap(({ targets }) => targets.map((each) => keyOf(each.provider, each.upstream_model))),
  ]);
  return ({ provider, upstreamModel }) => places.has(keyOf(provider, upstreamModel));
}

function keyOf(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
