/**
 * Loaded into a subject before its own code (`--import`): counts the statements that its main thread passes to SQLite.
 * On SIGUSR2 it prints `statements <n> <count>`, the n-th such report, and starts again.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite';

let reports = 0;
let statements = 0;

count(StatementSync.prototype, ['run', 'get', 'all', 'iterate']);
count(DatabaseSync.prototype, ['exec']);

process.on('SIGUSR2', () => {
  reports += 1;
  process.stderr.write(`statements ${reports} ${statements}\n`);
  statements = 0;
});

function count(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== 'function') throw new Error(`SQLite has no ${name}`);
    Reflect.set(prototype, name, function counted(this: unknown, ...given: unknown[]): unknown {
      statements += 1;
      return Reflect.apply(original, this, given);
    });
  }
}
