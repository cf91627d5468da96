/** Sums over settlements of single calls, in SQL written once for every database. */
import { type Kysely, sql } from 'kysely';
import type { SettledCalls } from '../../../batches/ports.ts';
import { type CallId, callIdBytes } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { Schema } from '../schema.ts';

/** The columns of all tokens of a prompt, as in `promptTokens`. */
const PROMPT = [
  ...(['input_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const),
  ...(['cache_write_1h_tokens', 'input_audio_tokens'] as const),
] as const;
const COMPLETION = ['output_tokens', 'output_audio_tokens'] as const;

export async function sumSettledCalls(database: Kysely<Schema>, calls: readonly CallId[]): Promise<SettledCalls> {
  const ids = calls.map(callIdBytes);
  const row = await database
    .selectFrom('settlements')
    .where('call_id', 'in', ids)
    .select(({ fn }) => fn.countAll().as('calls'))
    .select([
      sumOf(PROMPT).as('prompt'),
      sumOf(['cache_read_tokens']).as('cached'),
      sumOf(COMPLETION).as('completion'),
      sumOf(['reasoning_tokens']).as('reasoning'),
      sumOf(['charge_nano']).as('charge'),
    ])
    .select(({ fn }) => [fn.min('model').as('first'), fn.max('model').as('last')])
    .executeTakeFirstOrThrow();
  const named = await database
    .selectFrom('names')
    .where('id', 'in', [Number(row.first ?? 0), Number(row.last ?? 0)])
    .select('name')
    .execute();
  return {
    calls: Number(row.calls),
    inputTokens: Number(row.prompt),
    cachedTokens: Number(row.cached),
    outputTokens: Number(row.completion),
    reasoningTokens: Number(row.reasoning),
    charge: nanoUsd(BigInt(row.charge)),
    models: named.map(({ name }) => name),
  };
}

/** As text: a JavaScript number may not hold it. */
function sumOf(columns: readonly string[]) {
  const sums = columns.map((column) => sql`coalesce(sum(${sql.ref(column)}), 0)`);
  return sql<string>`cast(${sql.join(sums, sql` + `)} as text)`;
}
