/** Keys as a table, newest first, without secrets. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import type { CsvRow } from '../door/csv.ts';
import type { KeyOut } from './describe-key.ts';

export const KEY_COLUMNS = [
  'key_id',
  'name',
  'label',
  'kind',
  'status',
  'project_id',
  'project',
  'created_at',
  'created_by',
  'last_used_at',
  'expires_at',
  'retiring_at',
  'revoked_at',
  'limit_usd',
  'limit_reset',
  'usage_usd',
  'usage_monthly_usd',
];

/** About 0.3 ms of work. */
const SLICE_KEYS = 5_000;
const BATCH_KEYS = 200;

/** The total line has no sum of spending: a rotated key includes the spending of the previous ones. */
export async function* keyRows(
  registry: Pick<KeyRegistry, 'newestFirst'>,
  matches: (key: Key) => boolean,
  describe: (keys: readonly Key[]) => Promise<readonly KeyOut[]>,
): AsyncGenerator<CsvRow[], CsvRow> {
  let visited = 0;
  let count = 0;
  let batch: Key[] = [];
  for (const key of registry.newestFirst()) {
    visited += 1;
    if (visited % SLICE_KEYS === 0) await nextTurn();
    if (!matches(key)) continue;
    batch.push(key);
    count += 1;
    if (batch.length < BATCH_KEYS) continue;
    yield (await describe(batch)).map(keyRow);
    batch = [];
  }
  yield (await describe(batch)).map(keyRow);
  return ['total', `${count} keys`, ...KEY_COLUMNS.slice(2).map(() => null)];
}

function keyRow(key: KeyOut): CsvRow {
  return [
    key.id,
    key.name,
    key.label,
    key.kind,
    key.status,
    key.project.id,
    key.project.name,
    key.created_at,
    key.created_by,
    key.last_used_at,
    key.expires_at,
    key.retiring_at,
    key.revoked_at,
    usdText(key.limit),
    key.limit_reset,
    usdText(key.usage),
    usdText(key.usage_monthly),
  ];
}

/** Money is an exact JSON literal. */
function usdText(usd: unknown): string | null {
  return usd === null ? null : JSON.stringify(usd);
}
