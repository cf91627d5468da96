/**
 * One row of the fault table as a test, named by its number. It notes what callers got and what was charged; the page
 * docs/reference/faults.md must say the same. `scripts/build-fault-reference.ts` writes the page from such notes.
 */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, type TestOptions, test } from 'node:test';
import type { Given, Suffered } from '../../support/fault-bench.ts';
import type { LedgerOutcome } from '../../support/ledger-outcome.ts';
import { FAULT_ROWS, type RowId } from './matrix.ts';
import { rowOfPage } from './page.ts';

const ROOT = join(import.meta.dirname, '../../..');
export const FAULT_PAGE = join(ROOT, 'docs/reference/faults.md');
/** The file that notes are added to, a line each; the page is not compared then. */
export const NOTES_VARIABLE = 'TURNPIKE_FAULT_NOTES';

/** What the page says of a row. */
export interface NotedRow {
  readonly id: RowId;
  /** What callers got, in the order in which it was first seen. */
  readonly gets: readonly string[];
  readonly ledger: readonly LedgerOutcome[];
  /** Below the project's folder. */
  readonly file: string;
}

interface Closable {
  close(): Promise<void> | void;
}

export class RowNotes {
  readonly gets = new Map<string, Set<'whole' | 'streamed' | 'either'>>();
  readonly ledger = new Set<LedgerOutcome>();

  readonly #open: Closable[] = [];

  /** Closed when the test is over, whatever its result. */
  owns<Owned extends Closable>(owned: Owned): Owned {
    this.#open.push(owned);
    return owned;
  }

  /** The last one first. */
  async close(): Promise<void> {
    for (const owned of this.#open.toReversed()) await owned.close();
  }

  /** A call through the gateway, and its row in the ledger. */
  suffered(suffered: Suffered): void {
    this.given(suffered);
    this.ledger.add(suffered.ledger);
  }

  given(given: Given): void {
    this.#add(textOf(given), given.streamed ? 'streamed' : 'whole');
  }

  /** A call that another provider of the model served. */
  fellBack({ ledger }: Suffered): void {
    this.note('the answer of the model’s next provider, if it has one', ledger);
  }

  /** Something else that a caller got, in the page's words. */
  note(gets: string, ledger: LedgerOutcome): void {
    this.#add(gets, 'either');
    this.ledger.add(ledger);
  }

  #add(text: string, way: 'whole' | 'streamed' | 'either'): void {
    const ways = this.gets.get(text) ?? new Set();
    this.gets.set(text, ways.add(way));
  }

  /** A text that only one kind of answer got says which, if the other kind got something else. */
  texts(): string[] {
    const all = [...this.gets];
    const had = new Set(all.flatMap(([, ways]) => [...ways]));
    return all.map(([text, ways]) =>
      had.size > 1 && ways.size === 1 && !ways.has('either') ? `${[...ways][0]}: ${text}` : text,
    );
  }
}

/** `file` is the test's own. A row that is skipped is not compared. */
export function faultRow(
  id: RowId,
  file: string,
  run: (row: RowNotes, context: TestContext) => Promise<void>,
  options: TestOptions = {},
): void {
  test(`${id}: ${FAULT_ROWS[id].fault}`, options, async (context) => {
    const notes = new RowNotes();
    context.after(() => notes.close());
    await run(notes, context);
    publish({ id, gets: notes.texts(), ledger: [...notes.ledger].sort(), file: relative(ROOT, file) });
  });
}

/** A row that is proven outside of a test; `run` returns figures. */
export function longRow(id: RowId, file: string, run: (row: RowNotes) => Promise<string>): () => Promise<string> {
  return async () => {
    const notes = new RowNotes();
    const figures = await run(notes);
    publish({ id, gets: notes.texts(), ledger: [...notes.ledger].sort(), file: relative(ROOT, file) });
    return `${id}: ${figures}`;
  };
}

function publish(row: NotedRow): void {
  const notesFile = process.env[NOTES_VARIABLE];
  if (notesFile !== undefined) return appendFileSync(notesFile, `${JSON.stringify(row)}\n`);
  const line = rowOfPage(row);
  const published = readFileSync(FAULT_PAGE, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`| ${row.id} |`));
  assert.equal(
    published,
    line,
    'docs/reference/faults.md is not current: node_modules/.bin/node scripts/build-fault-reference.ts',
  );
}

function textOf({ response, streamed, code, isWhole }: Given): string {
  if (isWhole) return 'the answer';
  const said = code === null ? 'the provider’s error' : `\`${code}\``;
  if (response.status === 200) return `200, then ${said}${streamed ? ' as the last event' : ''}`;
  return `${response.status} ${said}${response.headers.has('retry-after') ? ' with `Retry-After`' : ''}`;
}
