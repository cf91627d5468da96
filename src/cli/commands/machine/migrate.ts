/** `turnpike migrate`: moves the ledger between the data folder and a PostgreSQL database. */
import { resolve } from 'node:path';
import {
  CannotMove,
  type MovedLedger,
  moveLedgerToDatabase,
  moveLedgerToFolder,
} from '../../../app/move/move-ledger.ts';
import type { Config } from '../../../config/config.ts';
import { isMissingSecret } from '../../../config/database/check-database.ts';
import { parseDatabaseUrl } from '../../../config/database/database-url.ts';
import { ConfigError } from '../../../config/problem.ts';
import { Secret } from '../../../core/secret.ts';
import { DATABASE_URL } from '../../../storage/postgres/engine/explain-connection.ts';
import { addressOf } from '../../../storage/postgres/engine/server-address.ts';
import type { Command, CommandContext } from '../../command.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { connectToServer } from '../../control-client.ts';
import { verificationText } from '../money/ledger.ts';

const FOLDER = 'sqlite:';
const DATABASE = /^postgres(?:ql)?:\/\//;

export const migrateLedger: Command = {
  name: 'migrate',
  summary:
    'Move everything but records and stored bodies to an empty PostgreSQL database, or back to a new folder, and verify both; stop the server first',
  flags: {
    to: {
      type: 'string',
      value: '<target>',
      description:
        'postgres (the database of DATABASE_URL), postgres://user@host/database (password: PGPASSWORD or ~/.pgpass), or sqlite:<folder>',
    },
  },
  async run(context) {
    const to = context.text('to');
    if (to === null) throw new UsageError('needs --to postgres, --to postgres://… or --to sqlite:<folder>');
    if (to.startsWith(FOLDER) && to.slice(FOLDER.length).trim() === '')
      throw new UsageError(
        '--to sqlite: names no folder; give one that does not exist yet, like sqlite:/srv/turnpike-back',
      );
    const config = to.startsWith(FOLDER) ? context.config('serving').config : configOfMove(context);
    const dataFolder = resolve(context.cwd, config.dataFolder);
    if ((await connectToServer(dataFolder)) !== null)
      throw new CommandFailed(`A server is running on ${dataFolder}; stop it first.`);
    try {
      return to.startsWith(FOLDER)
        ? await moveBack(context, config, resolve(context.cwd, to.slice(FOLDER.length)))
        : await moveAway(context, config, to);
    } catch (error) {
      if (error instanceof CannotMove && error.report !== null)
        for (const line of verificationText({ ...shown(error.report), ok: false })) context.terminal.note(line);
      throw error instanceof Error && !(error instanceof UsageError) ? new CommandFailed(error.message) : error;
    }
  },
};

/** Moving needs no providers; the secrets that a database requires may still be in the folder that moves. */
function configOfMove(context: CommandContext): Config {
  try {
    return context.config('serving').config;
  } catch (error) {
    if (!(error instanceof ConfigError) || !error.problems.every(({ message }) => isMissingSecret(message)))
      throw error;
    return context.config('all').config;
  }
}

async function moveAway(context: CommandContext, config: Config, to: string): Promise<number> {
  const url = databaseOf(context, config, to);
  const { server, database } = addressOf(url.reveal());
  const where = `the database ${database} at ${server}`;
  const moved = await moveLedgerToDatabase({
    config,
    url,
    option: to === 'postgres' ? DATABASE_URL : { name: '--to', isReplica: false },
    to: where,
    onProgress: (line) => context.terminal.note(line),
  });
  return report(context, moved, where, [
    `${to === 'postgres' ? 'Keep DATABASE_URL set. Set' : 'Set DATABASE_URL to this database, then'} TURNPIKE_PEPPER to ${config.pepper === null ? `the content of ${config.dataFolder}/pepper` : 'what it is set to now'}`,
    `and TURNPIKE_SEALING_KEY to ${config.sealingKey === null ? `the first 64 digits of ${config.dataFolder}/sealing.key` : 'what it is set to now'}: the same on every node.`,
    `Records of calls and stored bodies stay in ${config.dataFolder}; so do the archives of sealed months, which the first node keeps as its data folder.`,
  ]);
}

async function moveBack(context: CommandContext, config: Config, folder: string): Promise<number> {
  const { url } = config.database;
  if (url === null) throw new UsageError('--to sqlite:<folder> moves what DATABASE_URL names, and it is not set');
  const moved = await moveLedgerToFolder(
    {
      config,
      url,
      option: DATABASE_URL,
      to: `the folder ${folder}`,
      onProgress: (line) => context.terminal.note(line),
    },
    folder,
  );
  return report(context, moved, folder, [
    `Start with --data ${folder}, without DATABASE_URL, TURNPIKE_PEPPER and TURNPIKE_SEALING_KEY: the folder has the secrets.`,
    'Records of calls and stored bodies stay in the database.',
  ]);
}

/** Never printed: it may have a password. */
function databaseOf({ terminal }: CommandContext, config: Config, to: string): Secret {
  if (to === 'postgres') {
    const { url } = config.database;
    if (url === null) throw new UsageError('--to postgres moves to the database of DATABASE_URL, and it is not set');
    return url;
  }
  if (!DATABASE.test(to)) throw new UsageError('--to is neither postgres, postgres://… nor sqlite:<folder>');
  try {
    parseDatabaseUrl(to);
  } catch (error) {
    throw new UsageError(`--to ${(error as Error).message}`);
  }
  if (new URL(to).password !== '')
    terminal.note(
      'Other users of this machine can see a password on a command line. Leave it out, and set PGPASSWORD or use ~/.pgpass.',
    );
  return new Secret(to);
}

function report(context: CommandContext, moved: MovedLedger | null, to: string, next: readonly string[]): number {
  const looked = moved === null ? null : shown(moved.verified).looked_at;
  if (context.json) {
    context.terminal.out(JSON.stringify({ data: { to, rows: moved?.rows ?? null, looked_at: looked, next } }));
    return 0;
  }
  context.terminal.out(
    moved === null
      ? `Everything had moved to ${to} before.`
      : `Moved ${moved.rows} rows to ${to}; every row was read back and compared.`,
  );
  if (moved !== null) for (const line of verificationText(shown(moved.verified))) context.terminal.out(line);
  for (const line of next) context.terminal.out(line);
  return 0;
}

function shown({
  violations,
  violationCount,
  accounts,
  settlements,
  entries,
  holds,
  archives,
}: MovedLedger['verified']) {
  return {
    ok: violationCount === 0,
    violation_count: violationCount,
    violations,
    looked_at: { accounts, settlements, entries, holds, archives },
  };
}
