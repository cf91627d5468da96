/** The checks of `doctor` on what several nodes share: the database, the nodes, this node's journal, Valkey. */

import { DIGESTS, nodeSettings, type SharedConfig } from '../../../app/nodes/node-settings.ts';
import { examineStorage, type StorageConfig } from '../../../app/open-storage.ts';
import type { Config } from '../../../config/config.ts';
import { VERSION } from '../../../core/version.ts';
import { NAME_ADVICE, sharedNames } from '../../../nodes/shared-names.ts';
import { shownState } from '../../../nodes/shown-state.ts';
import type {
  ExaminedArchiver,
  ExaminedDatabase,
  ExaminedNode,
  ExaminedSchema,
} from '../../../storage/examined-database.ts';
import { type WaitingInJournal, waitingInJournal } from '../../../storage/journal/waiting-in-journal.ts';
import { nodesFolder } from '../../../storage/move/left-behind.ts';
import { probeValkey } from '../../../storage/valkey/probe-valkey.ts';
import type { Program } from '../../program.ts';
import type { Check } from './checks.ts';

/** Of `/health`. */
export interface NodeHealth {
  readonly unsent_settlements: number;
  readonly unsent_age_ms: number;
}

const CLOCK_WARN_MS = 5_000;
/** The server archives a segment when it is full, or after `archive_timeout`, which most set to minutes. */
const ARCHIVE_WARN_MS = 3_600_000;
/** A node that runs sends what it settled within a moment. */
const UNSENT_WARN_MS = 10_000;
/** Reports that are older surprise people. */
const REPLICA_WARN_MS = 60_000;
const DAY_MS = 86_400_000;

export interface CheckedDatabase {
  readonly checks: readonly Check[];
  /** Whether the ledger in it can be read. */
  readonly isUsable: boolean;
}

export interface DatabaseChecksParts {
  readonly now: () => number;
  readonly program: Program;
  /** What the running server says of itself; null without one. */
  readonly running: NodeHealth | null;
}

/** Without a database there is nothing to check. Never throws because something cannot be reached. */
export async function checkDatabase(
  config: StorageConfig & Pick<Config, 'valkey'>,
  { now, program, running }: DatabaseChecksParts,
): Promise<CheckedDatabase> {
  const { dataFolder } = config;
  if (config.database.url === null) return checkFolder(dataFolder);
  const journal = [checkJournal(dataFolder, running, program, now())];
  const valkey = await checkValkey(config);
  try {
    const examined = await examineStorage(config, now);
    if (examined === null) return { checks: [], isUsable: true };
    const rows = [serverCheck(examined), timeCheck(examined), ...schemaChecks(examined, program, config)];
    const checks = [...rows, ...archiveCheck(examined.archiver), ...replicaCheck(examined), ...journal, ...valkey];
    return { checks, isUsable: rows.every(({ state }) => state !== 'fail') };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { checks: [{ name: 'database', state: 'fail', detail }, ...journal, ...valkey], isUsable: false };
  }
}

function serverCheck({ serverVersion, place, complaint }: ExaminedDatabase): Check {
  const name = 'database';
  if (complaint !== null) return { name, state: 'fail', detail: complaint };
  return { name, state: 'ok', detail: `PostgreSQL ${serverVersion}, ${place}, takes writes` };
}

function timeCheck({ aheadMs }: ExaminedDatabase): Check {
  const name = 'database clock';
  const far = Math.abs(aheadMs);
  if (far <= CLOCK_WARN_MS) return { name, state: 'ok', detail: `${far} ms from this machine's` };
  const detail = `${(far / 1_000).toFixed(0)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's; calls count at the database's time: set the clock that is wrong`;
  return { name, state: 'warn', detail };
}

/** Without a database, a folder that only a node with one makes. */
function checkFolder(folder: string): CheckedDatabase {
  const detail = nodesFolder(folder);
  if (detail === null) return { checks: [], isUsable: true };
  return { checks: [{ name: 'database', state: 'fail', detail }], isUsable: false };
}

function schemaChecks(
  { schema, leftBehind }: Pick<ExaminedDatabase, 'schema' | 'leftBehind'>,
  program: Program,
  config: SharedConfig & Pick<Config, 'pepper' | 'sealingKey'>,
): readonly Check[] {
  const { pepper, sealingKey } = config;
  if (leftBehind !== null) return [{ name: 'schema', state: 'fail', detail: leftBehind }];
  if (schema === null) return [{ name: 'schema', state: 'ok', detail: 'none yet; the first start creates it' }];
  // That one is missing is said with the configuration.
  const secrets = pepper === null || sealingKey === null ? [] : [secretsCheck(schema)];
  return [
    schemaCheck(schema),
    ...secrets,
    ...nodeChecks(schema.nodes, program),
    ...settingsCheck(schema.nodes, config),
  ];
}

function schemaCheck({ migrations, missing, newer, complaint }: ExaminedSchema): Check {
  const name = 'schema';
  if (complaint !== null) return { name, state: 'fail', detail: complaint };
  if (missing.length > 0)
    return {
      name,
      state: 'warn',
      detail: `the next start applies ${missing.join(', ')}`,
    };
  const beyond = newer.length === 0 ? '' : `; newer versions added ${newer.join(', ')}, which this one works with`;
  return { name, state: 'ok', detail: `complete, with ${migrations} migrations${beyond}` };
}

function secretsCheck({ otherSecrets }: ExaminedSchema): Check {
  const name = 'secrets';
  if (otherSecrets.length === 0) return { name, state: 'ok', detail: 'those of this installation' };
  const options = otherSecrets.join(' and ');
  const detail = `${options} here differ from those of the installation in this database; set the values that its other nodes have`;
  return { name, state: 'fail', detail };
}

function nodeChecks(nodes: readonly ExaminedNode[], program: Program): readonly Check[] {
  const name = 'nodes';
  const present = nodes.filter(({ state }) => state !== 'gone');
  if (present.length === 0) return [{ name, state: 'ok', detail: 'none runs' }];
  const live = present.filter((node) => shownState(node) === 'live');
  const others = live.filter(({ version }) => version !== VERSION);
  const problems = [
    ...present
      .filter((node) => !live.includes(node))
      .map((node) => `${node.name} is ${shownState(node)}, seen ${ago(node)} ago`),
    ...others.map((node) => `${node.name} has version ${node.version}, this is ${VERSION}`),
    ...[...sharedNames(present)].map((shared) => `more than one is named ${shared}. ${NAME_ADVICE}`),
  ];
  if (problems.length === 0) return [{ name, state: 'ok', detail: `${live.length} live` }];
  return [{ name, state: 'warn', detail: `${live.length} live; ${problems.join('; ')}; see: ${program.name} nodes` }];
}

/** Nothing is said where no node runs that says how it is configured. */
function settingsCheck(nodes: readonly ExaminedNode[], config: SharedConfig): readonly Check[] {
  const name = 'settings';
  const own = nodeSettings(config);
  const live = nodes.filter((node) => shownState(node) === 'live' && node.settings !== null);
  if (live.length === 0) return [];
  const found = live.flatMap((node) => differences(node, own));
  if (found.length === 0) return [{ name, state: 'ok', detail: 'those of the nodes that run' }];
  const isOtherMode = live.some(({ settings }) => settings?.['billing.mode'] !== own['billing.mode']);
  const todo = isOtherMode
    ? 'a node with another billing.mode does not start'
    : 'what callers get and pay depends on the node';
  return [
    {
      name,
      state: isOtherMode ? 'fail' : 'warn',
      detail: `not those of all nodes that run: ${found.join('; ')}; ${todo}`,
    },
  ];
}

/** Options that only one of both versions knows are left out. */
function differences(node: ExaminedNode, own: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(own).flatMap(([option, here]) => {
    const theirs = node.settings?.[option] ?? here;
    if (theirs === here) return [];
    const what = DIGESTS.has(option) ? `other ${option}` : `${option} ${theirs}, here it is ${here}`;
    return [`${node.name} has ${what}`];
  });
}

function ago({ seenAgoMs }: ExaminedNode): string {
  const seconds = Math.max(0, Math.round(seenAgoMs / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function archiveCheck(archiver: ExaminedArchiver | null): readonly Check[] {
  const name = 'archived log';
  if (archiver === null) return [];
  const { archivedAgoMs, isFailing } = archiver;
  if (isFailing)
    return [{ name, state: 'warn', detail: 'the last attempt to archive the log failed; see the log of PostgreSQL' }];
  if (archivedAgoMs === null) return [{ name, state: 'warn', detail: 'archiving is on, and nothing was archived yet' }];
  const state = archivedAgoMs > ARCHIVE_WARN_MS ? 'warn' : 'ok';
  return [{ name, state, detail: `the newest part is ${Math.round(archivedAgoMs / 60_000)} min old` }];
}

function replicaCheck({ replicaComplaint, replica }: ExaminedDatabase): readonly Check[] {
  const name = 'replica';
  if (replicaComplaint !== null)
    return [{ name, state: 'warn', detail: `reports cannot use database.readUrl: ${replicaComplaint}` }];
  if (replica === null) return [];
  const { isStandby, behindBytes, lagMs, isReceiving } = replica;
  if (!isStandby)
    return [{ name, state: 'ok', detail: 'answers; database.readUrl names a primary, which does not lag' }];
  if (behindBytes === 0) return [{ name, state: 'ok', detail: 'answers, and has everything that the database has' }];
  const age = lagMs === null ? 'it has none since it was started' : `its newest is ${(lagMs / 1_000).toFixed(1)} s old`;
  const lag = `lacks the last ${behindBytes} bytes of changes, ${age}`;
  if (!isReceiving)
    return [
      {
        name,
        state: 'warn',
        detail: `${lag}, and it is connected to no primary: reports stay as old as that; see its log and primary_conninfo`,
      },
    ];
  if (lagMs !== null && lagMs <= REPLICA_WARN_MS) return [{ name, state: 'ok', detail: `answers, ${lag}` }];
  return [{ name, state: 'warn', detail: `${lag}: so are reports; see whether it still replays the log` }];
}

/** What is unsent the running server knows; without one its file says it. */
function checkJournal(folder: string, running: NodeHealth | null, program: Program, nowMs: number): Check {
  const name = 'journal';
  let waiting: WaitingInJournal | null;
  try {
    waiting = waitingInJournal(folder);
  } catch (error) {
    return { name, state: 'fail', detail: (error as Error).message };
  }
  const refused = waiting?.refused ?? 0;
  if (refused > 0) {
    const detail = `${refused} settlements that the database refused; \`${program.name} nodes set-aside\` lists them, and sends them again once the cause is removed`;
    return { name, state: 'warn', detail };
  }
  if (running !== null)
    return unsentCheck(running.unsent_settlements, running.unsent_age_ms, 'it is sent when the database takes it');
  if (waiting === null) return { name, state: 'ok', detail: 'none yet' };
  const { calls, from, interrupted } = waiting;
  if (interrupted > 0)
    return {
      name,
      state: 'warn',
      detail: `${calls} settlements not sent, ${interrupted} calls interrupted; start this node again, so that they are settled`,
    };
  return unsentCheck(calls, from === null ? 0 : nowMs - from, 'start this node again, so that they are sent');
}

function unsentCheck(calls: number, ageMs: number, todo: string): Check {
  const name = 'journal';
  if (calls === 0) return { name, state: 'ok', detail: 'everything is in the database' };
  const age = ageMs >= DAY_MS ? `${Math.round(ageMs / DAY_MS)} days` : `${Math.round(ageMs / 1_000)} s`;
  const detail = `${calls} settlements not sent, the oldest ${age} old`;
  return ageMs <= UNSENT_WARN_MS
    ? { name, state: 'ok', detail }
    : { name, state: 'warn', detail: `${detail}; ${todo}` };
}

async function checkValkey({ database, valkey }: Pick<Config, 'database' | 'valkey'>): Promise<readonly Check[]> {
  const name = 'Valkey';
  if (database.url === null || valkey.url === null) return [];
  const problem = await probeValkey(valkey.url);
  if (problem === null) return [{ name, state: 'ok', detail: 'answers' }];
  return [{ name, state: 'warn', detail: `${problem}; limits are exchanged through the database instead` }];
}
