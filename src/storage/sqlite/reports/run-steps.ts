/** Runs the steps of a report on SQLite synchronously, on a separate thread. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { assert } from '../../../core/assert.ts';
import type { Ask, BatchSteps, FoundRow, FoundRows, ReportParts, Source, Steps } from '../../sql/reports/steps.ts';
import type { ReadDeadline } from '../../threads/read-deadline.ts';

export interface Sources {
  /** Opened by `openForReading`. */
  readonly ledger: DatabaseSync;
  readonly archive?: DatabaseSync | null;
}

export function reportParts(deadline: ReadDeadline): ReportParts {
  return {
    inTime: (column) => `in_time(${column})`,
    byIndex: (index) => `INDEXED BY ${index}`,
    now: () => deadline.now(),
    box: (ms) => deadline.box(ms),
    lookAhead: 1,
  };
}

/** Throws `ReadTooLate`; the deadline is checked between statements. */
export function runSteps<Result>(sources: Sources, deadline: ReadDeadline, steps: Steps<Result>): Result {
  const statements = new Statements(sources);
  for (let step = steps.next([]); ; ) {
    if (step.done === true) return step.value;
    deadline.check();
    step = steps.next(answer(statements, deadline, step.value));
  }
}

/** Runs the steps of an export up to each batch, when it is asked for. The sources must have one snapshot. */
export function* runBatches<Batch>(
  sources: Sources,
  deadline: ReadDeadline,
  steps: BatchSteps<Batch>,
): Generator<Batch> {
  const statements = new Statements(sources);
  try {
    for (let step = steps.next([]); step.done !== true; ) {
      if ('batch' in step.value) {
        yield step.value.batch;
        step = steps.next([]);
      } else {
        deadline.check();
        step = steps.next(answer(statements, deadline, step.value));
      }
    }
  } finally {
    steps.return();
  }
}

/** Like `runSteps`, on one snapshot of the ledger. */
export function runInOneView<Result>(sources: Sources, deadline: ReadDeadline, steps: Steps<Result>): Result {
  const { ledger } = sources;
  ledger.exec('BEGIN');
  try {
    return runSteps(sources, deadline, steps);
  } finally {
    ledger.exec('ROLLBACK');
  }
}

function answer(statements: Statements, deadline: ReadDeadline, { source, sql, sets }: Ask): FoundRows {
  const statement = statements.of(source, sql);
  return sets.map((values, index) => {
    if (index > 0) deadline.check();
    return statement.all(...(values as readonly SQLInputValue[])) as unknown as FoundRow[];
  });
}

/** Each statement is prepared once per report. */
class Statements {
  readonly #sources: Sources;
  readonly #prepared = { ledger: new Map<string, StatementSync>(), archive: new Map<string, StatementSync>() };

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  of(source: Source, sql: string): StatementSync {
    const known = this.#prepared[source].get(sql);
    if (known !== undefined) return known;
    const database = this.#sources[source];
    assert(database !== null && database !== undefined, 'a step that reads an archive has one');
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    this.#prepared[source].set(sql, statement);
    return statement;
  }
}
