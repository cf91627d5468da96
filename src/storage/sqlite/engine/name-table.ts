/**
 * Maps names to numbers, in a separate table: rows are kept for long, and names would be most of their size. A
 * number assigned in a transaction is used only after its commit.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { assert } from '../../../core/assert.ts';

export class NameTable {
  readonly #insert: StatementSync;
  readonly #find: StatementSync;
  readonly #read: StatementSync;
  /** Names whose rows are durable. */
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();
  /** Names assigned in the current transaction. */
  readonly #newIds = new Map<string, number>();

  /** Needs a table `names (id, name)` with generated ids and unique names. */
  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.#find = database.prepare('SELECT id FROM names WHERE name = ?');
    this.#read = database.prepare('SELECT name FROM names WHERE id = ?');
  }

  /** The positive number of a name, assigned if it is new; call it within a transaction. */
  idOf(name: string): number {
    return this.#ids.get(name) ?? this.#newIds.get(name) ?? this.#add(name);
  }

  nameOf(id: number): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const row = this.#read.get(id) as { name: string } | undefined;
    assert(row !== undefined, `no name has the number ${id}`);
    this.#names.set(id, row.name);
    return row.name;
  }

  /** Call it after the transaction, with whether it was committed. */
  ended(committed: boolean): void {
    if (this.#newIds.size === 0) return;
    if (committed) for (const [name, id] of this.#newIds) this.#ids.set(name, id);
    this.#newIds.clear();
  }

  #add(name: string): number {
    this.#insert.run(name);
    const { id } = this.#find.get(name) as { id: number };
    this.#newIds.set(name, id);
    return id;
  }
}
