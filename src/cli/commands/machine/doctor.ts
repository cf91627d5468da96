/** `turnpike doctor`: checks everything that could keep this installation from serving. */

import { configuredProxies, fixedProvider } from '../../../app/open-providers.ts';
import type { Config, LoadedConfig } from '../../../config/config.ts';
import { isMissingSecret } from '../../../config/database/check-database.ts';
import { ConfigError } from '../../../config/problem.ts';
import type { Command, CommandContext } from '../../command.ts';
import { readCommandConfig, SERVED_ELSEWHERE } from '../../command-config.ts';
import { CommandFailed, UsageError } from '../../command-errors.ts';
import { type ControlClient, connectToServer } from '../../control-client.ts';
import { paint, readJson } from '../../output.ts';
import { examine, KEY_VARIABLE } from '../deployment/examine.ts';
import { troubleText } from '../providers/provider-health.ts';
import {
  type ConnectionRow,
  connectionText,
  isCalled,
  isTestable,
  type ProviderRow,
} from '../providers/provider-row.ts';
import { type Check, checkClock, checkDataFolder, checkDisk, checkNode, checkPort, checkSqlite } from './checks.ts';
import { checkSealed } from './credentials.ts';
import { checkDatabase, type NodeHealth } from './database-checks.ts';
import { checkLedger } from './ledger-checks.ts';
import { checkLoad, type Load } from './load-checks.ts';
import { configurationFlags } from './serve.ts';
import { unknownIds } from './unknown-ids.ts';

/** Runs in this process, so testing it makes no network connection. */
const BUILT_IN = 'demo';
const HEALTH_PATIENCE_MS = 5_000;
const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check the runtime, configuration, data folder, port, clock, disk, database, nodes, ledger and, with --online, the providers; with --url, a live deployment',
  flags: {
    ...configurationFlags,
    online: { type: 'boolean', description: 'Also test the connection to the providers' },
    url: {
      type: 'string',
      value: '<origin>',
      description: 'Instead, check a live deployment at this URL, as coding assistants use it',
    },
    key: {
      type: 'string',
      value: '<key>',
      description: `With --url: an API key; default: the variable ${KEY_VARIABLE}`,
    },
    model: {
      type: 'string',
      value: '<id>',
      description: 'With --url: the model to call; default: the cheapest with tools',
    },
    yes: { type: 'boolean', description: 'With --url: spend what it announces without asking' },
  },
  async run(context) {
    const url = context.text('url');
    if (url !== null) return await examine(context, url);
    const checks: Check[] = [checkNode(process.versions.node), checkSqlite(process.versions.sqlite)];
    const loaded = await readConfig(context, checks);
    if (loaded !== null) checks.push(...(await checkInstallation(context, loaded)));
    if (context.json) context.terminal.out(JSON.stringify({ data: checks }));
    else {
      for (const { name, state, detail } of checks) {
        context.terminal.out(`${paint(context, COLOURS[state], state.padEnd(4))}  ${name}: ${detail}`);
      }
    }
    return checks.some((check) => check.state === 'fail') ? 1 : 0;
  },
};

/** A configuration that only lacks variables is checked as well. */
async function readConfig(context: CommandContext, checks: Check[]): Promise<LoadedConfig | null> {
  const name = 'configuration';
  try {
    const { loaded, isServed, difference } = await readCommandConfig(context);
    if (loaded.lacking.length === 0)
      checks.push({ name, state: 'ok', detail: loaded.file ?? 'no file; defaults and environment' });
    if (difference !== null) checks.push({ name, state: 'warn', detail: difference });
    for (const { where, message } of loaded.lacking)
      checks.push({
        name: isMissingSecret(message) ? 'secrets' : name,
        state: isServed ? 'warn' : 'fail',
        detail: isServed ? `${where}: ${message} here; ${SERVED_ELSEWHERE}` : `${where}: ${message}`,
      });
    const { problems, doubts } = await unknownIds(loaded);
    for (const { where, message } of [...loaded.warnings, ...problems, ...doubts])
      checks.push({ name, state: 'warn', detail: `${where}: ${message}` });
    return loaded;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems)
      checks.push({
        name: isMissingSecret(problem.message) ? 'secrets' : name,
        state: 'fail',
        detail: `${problem.where}: ${problem.message}`,
      });
    return null;
  }
}

async function checkInstallation(context: CommandContext, { config }: LoadedConfig): Promise<Check[]> {
  const { doors, program } = context;
  const checks: Check[] = [checkDataFolder(config.dataFolder)];
  const { check, address, client, load } = await checkServer(config.dataFolder);
  checks.push(check, ...checkLoad(config.limits, load));
  checks.push(await checkPort(config.host, config.port, address));
  checks.push(checkClock(config.dataFolder, doors.now()), checkDisk(config.dataFolder));
  const running = await nodeHealthOf(address);
  const database = await checkDatabase(config, { now: () => doors.now(), program, running });
  checks.push(...database.checks);
  // What keeps the database from being used is said once.
  if (!database.isUsable && client === null) return checks;
  checks.push(...(await checkLedger(context, config, client)));
  if (client !== null) checks.push(await checkSealed(client));
  checks.push(...(await checkProviders(context, config, client)));
  return checks;
}

async function checkServer(
  dataFolder: string,
): Promise<{ check: Check; address: string | null; client: ControlClient | null; load: Load | null }> {
  const name = 'server';
  try {
    const client = await connectToServer(dataFolder);
    if (client === null)
      return { check: { name, state: 'ok', detail: 'not running' }, address: null, client, load: null };
    const { data } = readJson<{ data: Health }>(await client.call('GET', '/control/api/status'));
    const { used_bytes: used, limit_bytes: limit } = data.body_memory;
    const node = (data.node ?? null) === null ? '' : `, the node ${data.node} (what follows of load is its own)`;
    const detail = `${data.version}${node} at ${data.address}, process ${data.process_id}, ${data.in_flight} calls running, using ${mib(used)} of ${mib(limit)} MiB of memory for bodies`;
    if (data.ready) return { check: { name, state: 'ok', detail }, address: data.address, client, load: data };
    return {
      check: { name, state: 'fail', detail: `${detail}; not ready: ${data.reasons.join(', ')}` },
      address: data.address,
      client,
      load: data,
    };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { check: { name, state: 'fail', detail: error.message }, address: null, client: null, load: null };
  }
}

/** What a server says of itself as one of several nodes; null without one, or if it does not say. */
async function nodeHealthOf(address: string | null): Promise<NodeHealth | null> {
  if (address === null) return null;
  try {
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(HEALTH_PATIENCE_MS) });
    return ((await answer.json()) as { readonly node?: NodeHealth }).node ?? null;
  } catch {
    // Whether it answers is the subject of another check.
    return null;
  }
}

function mib(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}

interface Health extends Load {
  readonly version: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  /** Absent at servers of earlier versions. */
  readonly node?: string | null;
  readonly address: string | null;
  readonly in_flight: number;
  readonly body_memory: { readonly used_bytes: number; readonly limit_bytes: number };
  readonly process_id: number;
}

/** Tests the built-in provider if a server runs; the others only with `--online`. */
async function checkProviders(
  context: CommandContext,
  config: Config,
  running: ControlClient | null,
): Promise<Check[]> {
  const online = context.has('online');
  if (running === null && !online) return checkProxies(rowsOf(config));
  const control = running ?? (await openFolder(context));
  if (typeof control === 'string') return [{ name: 'providers', state: 'warn', detail: `not tested: ${control}` }];
  const { data } = readJson<{ data: readonly ProviderRow[] }>(await control.call('GET', '/control/api/providers'));
  const unhealthy = data.filter(isCalled).flatMap(checkHealth);
  const chosen = data.filter((provider) => isTestable(provider) && (online || provider.kind === BUILT_IN));
  const tested = await Promise.all(
    chosen.map(async ({ name }): Promise<Check> => {
      const text = await control.call('GET', `/control/api/providers/${encodeURIComponent(name)}/connection`);
      const result = readJson<{ data: ConnectionRow }>(text).data;
      return { name: `provider ${name}`, state: result.ok ? 'ok' : 'fail', detail: connectionText(result) };
    }),
  );
  return [...unhealthy, ...checkProxies(data), ...tested];
}

/** Which provider is reached through which proxy; empty without a proxy. */
function checkProxies(rows: readonly Pick<ProviderRow, 'name' | 'proxy'>[]): Check[] {
  if (rows.every(({ proxy }) => proxy === null)) return [];
  const detail = rows.map(({ name, proxy }) => (proxy === null ? `${name} directly` : `${name} through ${proxy}`));
  return [{ name: 'proxies', state: 'ok', detail: detail.join('; ') }];
}

/** The configured providers, for when no server can list all of them. */
function rowsOf(config: Config): readonly Pick<ProviderRow, 'name' | 'proxy'>[] {
  const proxies = configuredProxies(config.upstream);
  return config.providers.map((entry) => {
    const { name, origin } = fixedProvider(entry).provider;
    return { name, proxy: proxies.of(origin)?.origin ?? null };
  });
}

/** The recent health of a provider, as the running server has seen it. */
function checkHealth({ name, health }: ProviderRow): Check[] {
  const detail = troubleText(health);
  if (detail === null) return [];
  return [{ name: `calls to ${name}`, state: health?.state === 'dead' ? 'fail' : 'warn', detail }];
}

/** The control plane of the data folder, or why there is none: `doctor` creates no data folder. */
async function openFolder(context: CommandContext): Promise<ControlClient | string> {
  try {
    return await context.control();
  } catch (error) {
    if (error instanceof CommandFailed || error instanceof UsageError) return error.message;
    throw error;
  }
}
