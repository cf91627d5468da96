/** Where a price table is read from: a file, standard input, or an address that the operator gives. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { knownModels } from '../../../catalog/models.ts';
import { type WrittenPrices, writeOwnRow } from '../../../catalog/price-tables/own-prices.ts';
import { readPriceTable } from '../../../catalog/price-tables/read-price-table.ts';
import type { PriceTable, TableRow } from '../../../catalog/price-tables/table-row.ts';
import type { CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { readOfferedModels } from '../../offered-models.ts';
import { fetchTable } from './fetch-table.ts';

const NAMED_MAX = 10;

export interface ReadTable {
  readonly format: PriceTable['format'];
  /** As the management API takes them: those that the catalogue may have. */
  readonly prices: readonly WrittenPrices[];
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

/** Whether a row is of a model that is built in, or served by a provider of that name. */
async function servedAt(context: CommandContext): Promise<(row: TableRow) => boolean> {
  const control = await context.control();
  const { data } = await readOfferedModels<{
    readonly targets: readonly { readonly provider: string; readonly upstream_model: string }[];
  }>(control, false);
  const places = new Set([
    ...knownModels().flatMap(({ targets }) => targets.map((each) => keyOf(each.provider, each.upstreamModel))),
    ...data.flatMap(({ targets }) => targets.map((each) => keyOf(each.provider, each.upstream_model))),
  ]);
  return ({ provider, upstreamModel }) => places.has(keyOf(provider, upstreamModel));
}

function keyOf(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}
