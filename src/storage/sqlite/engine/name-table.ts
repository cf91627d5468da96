/**
 * Names by number, in a table of their own: a row is kept long, and names would be most of it. A
 * number met in a transaction counts only once that is committed.
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
  /** Names met in the transaction that runs. */
  readonly #newIds = new Map<string, number>();

  /** Needs a table `names (id, name)`, its ids given by the database and its names unique. */
  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO names (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.#find = database.prepare('SELECT id FROM names WHERE name = ?');
    this.#read = database.prepare('SELECT name FROM names WHERE id = ?');
  }

  /** The positive number of a name, given one where it has none; to be called within a transaction. */
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

  /** To be called after the transaction, with whether it was committed. */
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
