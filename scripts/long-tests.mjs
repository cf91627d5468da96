/**
 * Which test files are long: `npm test` leaves them out, so that it takes about five minutes on two cores; `npm run prove -- long-tests`
 * runs them, and so does `.ci/run`. A file is long if it takes more than five seconds there, unless it is the shortest proof of a promise.
 */

/** All files of these folders, which are about pages, faults and several nodes: */
const FOLDERS = ['test/browser/', 'test/faults/', 'test/nodes/'];
/** but not these, each of which sees the whole. */
const SHORT = ['test/browser/journey.test.ts', 'test/nodes/several-nodes.test.ts'];
const FILES = [
  'bench/load/make-traffic.test.ts',
  'scripts/make-traffic.test.ts',
  'src/api/management/reports/reports.test.ts',
  'src/cli/commands/machine/database-checks.test.ts',
  'src/cli/commands/machine/migrate.test.ts',
  'src/cli/commands/providers/send-prices.test.ts',
  'src/nodes/feed/reload-meanwhile.test.ts',
  'src/storage/journal/damaged-journal.test.ts',
  'src/storage/postgres/bank/bank-model.test.ts',
  'src/storage/postgres/bank/bank-races.test.ts',
  'src/storage/postgres/bank/bank-tables.test.ts',
  'src/storage/postgres/engine/faults.test.ts',
  'src/storage/postgres/maintenance/maintenance-job.test.ts',
  'src/storage/postgres/open-postgres.test.ts',
  'src/storage/postgres/replica/replica.test.ts',
  'src/storage/postgres/reports/postgres-answerer.test.ts',
  'src/storage/postgres/stored-calls.test.ts',
  'src/storage/sqlite/reports/exports.test.ts',
  'src/storage/sqlite/reports/lists.test.ts',
  'src/storage/valkey/faults.test.ts',
  'test/bad-input/bodies.test.ts',
  'test/bad-input/connections.test.ts',
  'test/batches/hostile.test.ts',
  'test/batches/two-nodes.test.ts',
  'test/cli/commands-of-a-database.test.ts',
  'test/cli/database-away.test.ts',
  'test/cli/doctor-url.test.ts',
  'test/cli/money.test.ts',
  'test/cli/variables.test.ts',
  'test/dashboard/accounts.test.ts',
  'test/dashboard/huge-ids.test.ts',
  'test/dashboard/unstorable-texts.test.ts',
  'test/database-canary.test.ts',
  'test/life/credentials.test.ts',
  'test/life/first-run.test.ts',
  'test/life/load.test.ts',
  'test/life/memory.test.ts',
  'test/life/overload.test.ts',
  'test/life/reload.test.ts',
  'test/life/routing.test.ts',
  'test/life/shutdown.test.ts',
  'test/life/slow-caller.test.ts',
  'test/life/time-limits.test.ts',
  'test/linear-work-answers.test.ts',
  'test/linear-work-requests.test.ts',
  'test/losses/answers.test.ts',
  'test/losses/requests.test.ts',
  'test/money/disk-faults.test.ts',
  'test/operations/image-edit-forms.test.ts',
  'test/operations/transcriptions.test.ts',
  'test/prove/simulator.test.ts',
];

/** `file` is relative to the project, with `/`. */
export function isLong(file) {
  return FILES.includes(file) || (FOLDERS.some((folder) => file.startsWith(folder)) && !SHORT.includes(file));
}

/** For the test that finds names of files that no longer exist. */
export const namedFiles = [...SHORT, ...FILES];
