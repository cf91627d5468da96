/** What the databases contain about an account, to compare before and after. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Things } from './two-accounts.ts';

/** Every row of an account, and of its people, as text. */
export function rowsOf(dataFolder: string, { id, people }: Things): Readonly<Record<string, readonly string[]>> {
  const users = Object.values(people)
    .map((person) => person.id)
    .join();
  const dump: Record<string, readonly string[]> = {};
  for (const file of [
    'turnpike.db',
    ...readdirSync(join(dataFolder, 'captures'))
      .filter((name) => name.endsWith('.db'))
      .map((name) => join('captures', name)),
  ]) {
    const database = new DatabaseSync(join(dataFolder, file), { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      const columns = new Set(
        database
          .prepare(`SELECT name FROM pragma_table_info('${name}')`)
          .all()
          .map((row) => row['name']),
      );
      const where = whoseRows(String(name), columns, { id, users });
      if (where === null) continue;
      dump[`${file} ${name}`] = database.prepare(`SELECT * FROM "${name}" WHERE ${where}`).all().map(written);
    }
    database.close();
  }
  assert.ok(Object.values(dump).filter((rows) => rows.length > 0).length >= 12, JSON.stringify(Object.keys(dump)));
  return dump;
}

function whoseRows(
  table: string,
  columns: ReadonlySet<unknown>,
  { id, users }: { id: number; users: string },
): string | null {
  if (table === 'accounts') return `id = ${id}`;
  if (table === 'users') return `id IN (${users})`;
  if (columns.has('account_id')) return `account_id = ${id}`;
  if (columns.has('user_id')) return `user_id IN (${users})`;
  if (columns.has('project_id')) return `project_id IN (SELECT id FROM projects WHERE account_id = ${id})`;
  return null;
}

function written(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(row, (_, value) =>
    value instanceof Uint8Array ? createHash('sha256').update(value).digest('hex') : value,
  );
}
