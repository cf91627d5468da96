/** Which tables are copied between engines, in the order in which rows may refer to each other, with their columns in SQLite. */
import type { DatabaseSync } from 'node:sqlite';
import type { CopiedKind } from '../postgres/copy/copy-text.ts';

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly kind: CopiedKind }[];
  /** Columns whose order is that of the rows, in both engines; empty for a table with one row. */
  readonly key: readonly string[];
  /** Whether its ids are numbered, and never used again. */
  readonly isNumbered: boolean;
}

/**
 * Not copied: what the engines keep about themselves, and files with their batches, which stay behind like stored bodies. Holds are settled before a move;
 * balances and sums have their own way.
 */
const OWN = /^(sqlite_.*|migrations|migrations_lock|holds|facts|files|batches)$/;

export function copiedTables(database: DatabaseSync): readonly CopiedTable[] {
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !OWN.test(name));
  const numbered = new Set(
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%autoincrement%'")
      .all()
      .map(({ name }) => String(name)),
  );
  return inOrder(database, names).map((name) => {
    const columns = database.prepare(`PRAGMA table_info(${name})`).all() as unknown as readonly ColumnInfo[];
    return {
      name,
      columns: columns.map((column) => ({ name: column.name, kind: kindOf(name, column) })),
      key: columns
        .filter(({ pk }) => pk > 0)
        .toSorted((one, other) => one.pk - other.pk)
        .map((column) => column.name),
      isNumbered: numbered.has(name),
    };
  });
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  /** Its place in the primary key, from 1; 0 if it has none. */
  readonly pk: number;
}

function kindOf(table: string, { name, type }: ColumnInfo): CopiedKind {
  switch (type.toLowerCase()) {
    case 'integer':
      return 'integer';
    case 'text':
      return 'text';
    case 'blob':
      return 'bytes';
    default:
      throw new Error(`the column ${name} of ${table} is of the type ${type}, which is not copied`);
  }
}

/** A table comes after those that its rows refer to. */
function inOrder(database: DatabaseSync, names: readonly string[]): readonly string[] {
  const ordered = new Set<string>();
  const add = (name: string) => {
    if (ordered.has(name)) return;
    for (const { table } of database.prepare(`PRAGMA foreign_key_list(${name})`).all() as { table: string }[])
      if (table !== name) add(table);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}
