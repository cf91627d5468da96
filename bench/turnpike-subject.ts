/**
 * Turnpike as a subject: the real program with its defaults, including a log line per call, priced providers, money on
 * its account, and a key with limits. Its folder is prepared by a separate process (`prepare-folder.ts`).
 */

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callerModel, otherDialect, type Scenario, scenarios, translatedModel, upstreamModel } from './bodies.ts';
import { backendPath, callerPath, type DialectName, dialects, GEMINI } from './dialects.ts';
import { freePort, temporaryFolder, untilAnswers } from './loopback.ts';
import { startPinned, subjectCore } from './pinned-process.ts';
import { loading, reportsOf } from './reports.ts';
import type { Backend, Subject, SubjectOptions } from './subject.ts';

const projectFolder = join(import.meta.dirname, '..');
/** A variable, as plain JavaScript has no types to check. */
const setup = join(projectFolder, 'scripts', 'setup.mjs');
const { runtimeFlags } = (await import(setup)) as { runtimeFlags(cores: number): string[] };

/** Nothing of this process's environment, which could contain settings. */
const environment = { NODE_ENV: 'production', DEMO: 'false' };
const READY_PATIENCE_MS = 120_000;
/** As long as vendors' own keys, the shortest of which have some fifty characters: a shorter one is never searched for in answers. */
const CREDENTIAL = 'sk-bench-0123456789abcdefghijklmnopqrstuvwxyz0123456789ABCD';
/** The operator who uses the dashboard; nobody else can reach the subject. */
export const OPERATOR = { email: 'operator@bench.example', password: 'looks at dashboards' };
/** For an installation with dashboard readers. */
const LOOKED_AT = {
  ADMIN_EMAIL: OPERATOR.email,
  ADMIN_PASSWORD: OPERATOR.password,
  TURNPIKE_RECORDS_BYTES_MAX: String(1024 ** 4),
};

/** An installation that is not running. */
export interface Installation {
  readonly folder: string;
  /** The flags that name its configuration and data. */
  readonly flags: readonly string[];
  readonly key: string;
  /** In addition to the options of every subject. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

export interface InstallationOptions {
  /** In addition to the one that calls are made with; 0 when absent. */
  readonly keys?: number;
  /** The callers' formats that its configuration has models for; all when absent. */
  readonly formats?: readonly DialectName[];
  /** Accounts in all. If set, there is an operator, and space for the records of all made-up traffic. */
  readonly accounts?: number;
  /** Of the installation's processes, in addition. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Makes an installation. */
export function prepareTurnpike(
  backend: Backend,
  { keys = 0, accounts, formats = dialects, environment: own = {} }: InstallationOptions = {},
  checkout: string = projectFolder,
): Installation {
  const folder = temporaryFolder('turnpike');
  const file = join(folder, 'turnpike.yaml');
  writeFileSync(file, configurationFor(backend.port, formats));
  const flags = ['--data', join(folder, 'data'), '--config', file];
  const program = join(checkout, 'bench', 'prepare-folder.ts');
  const size = ['--keys', String(keys), '--accounts', String(accounts ?? 1)];
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...flags, ...size], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment, ...own },
    encoding: 'utf8',
  });
  const key = stdout.match(/sk-tp-[0-9A-Za-z]{49}/)?.[0];
  if (key === undefined) throw new Error(`the folder could not be prepared:\n${stdout}\n${stderr}`);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, flags, key, environment: accounts === undefined ? own : { ...LOOKED_AT, ...own }, remove };
}

export async function startTurnpike(backend: Backend, options: SubjectOptions): Promise<Subject> {
  const installation = prepareTurnpike(backend);
  const { subject } = await serveTurnpike(installation, options);
  return {
    ...subject,
    async stop() {
      await subject.stop();
      installation.remove();
    },
  };
}

/**
 * The subject, and how long it took from the start of the process until it was ready. `checkout` is the program's folder,
 * if it is not this one.
 */
export async function serveTurnpike(
  { folder, flags, key, environment: own }: Installation,
  options: SubjectOptions,
  checkout: string = projectFolder,
): Promise<{ readonly subject: Subject; readonly readyMs: number }> {
  const port = await freePort();
  const program =
    options.ledger === 'kept'
      ? [join(checkout, 'src', 'cli.ts'), 'serve']
      : [join(import.meta.dirname, 'without-ledger.ts'), '--wait', options.ledger];
  const startMs = performance.now();
  const child = startPinned(
    subjectCore,
    process.execPath,
    [...nodeFlags(options), ...program, '--port', String(port), ...flags],
    { folder, environment: { ...environment, ...own, ...burstVariable(options) } },
  );
  await untilAnswers(child, port, '/health/ready', READY_PATIENCE_MS);
  const readyMs = performance.now() - startMs;
  const subject: Subject = {
    name: 'turnpike',
    port,
    key,
    editsModel: true,
    path: callerPath,
    loopWorstMs: options.watchLoop ? reportsOf(child, 'loop-worst') : null,
    statements: options.countStatements ? reportsOf(child, 'statements') : null,
    process: child,
    stop: () => child.stop(),
  };
  return { subject, readyMs };
}

function burstVariable({ badKeysBurst }: SubjectOptions): Readonly<Record<string, string>> {
  return badKeysBurst === undefined ? {} : { TURNPIKE_LIMITS_BAD_KEYS_BURST: String(badKeysBurst) };
}

/** The flags of a measured Node: as `npm start` sets them on one core. */
export function nodeFlags(
  options: Pick<SubjectOptions, 'profileFolder'> & Partial<Pick<SubjectOptions, 'watchLoop' | 'countStatements'>>,
): string[] {
  return [
    ...runtimeFlags(1),
    ...(options.profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`]),
    ...(options.watchLoop ? loading('watch-loop.ts') : []),
    ...(options.countStatements ? loading('count-statements.ts') : []),
  ];
}

function configurationFor(backendPort: number, formats: readonly DialectName[]): string {
  const provider = (name: string, dialect: DialectName, idOf: (scenario: Scenario) => string) => ({
    name,
    ...kindOf(dialect),
    origin: `http://127.0.0.1:${backendPort}`,
    credential: CREDENTIAL,
    dialects: [dialect],
    models: scenarios.map((scenario) => ({
      id: idOf(scenario),
      upstream: upstreamModel(scenario),
      contextWindow: 128_000,
      outputCap: 16_384,
      prices: { input: '0.15', output: '0.6', cacheRead: '0.075' },
    })),
  });
  const providers = formats.flatMap((dialect) => [
    provider(`relayed-${dialect}`, dialect, (scenario) => callerModel(dialect, scenario)),
    provider(`translated-${dialect}`, otherDialect[dialect], (scenario) => translatedModel(dialect, scenario)),
  ]);
  // JSON is YAML. Calls are paid for, so there is money for all of them.
  return JSON.stringify({ providers, billing: { mode: 'prepaid', firstRunCredit: '1000000' } }, null, 2);
}

/** Only Google's own kind has Gemini's paths. */
function kindOf(dialect: DialectName): object {
  if (dialect === GEMINI) return { kind: 'google' };
  return { kind: 'custom', chatPaths: { [dialect]: backendPath(dialect, { model: '', stream: true }) } };
}
