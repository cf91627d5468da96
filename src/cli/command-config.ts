/** The configuration for a command, compared with that of a running server, which may have been started with other variables. */
import type { LoadedConfig } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import { ConfigError } from '../config/problem.ts';
import type { CommandContext } from './command.ts';
import { CommandFailed } from './command-errors.ts';
import { connectToServer } from './control-client.ts';
import { readJson } from './output.ts';

export const SERVED_ELSEWHERE = 'the running server was started with its own variables';

export interface CommandConfig {
  /** `lacking` contains values of variables that are not set here. */
  readonly loaded: LoadedConfig;
  /** Whether a server runs on this data folder; its variables may be set where ours are not. */
  readonly isServed: boolean;
  /** How the file differs from the running server's, as a sentence; null if it does not, or no server runs. */
  readonly difference: string | null;
}

/**
 * Reads the file named on the command line, otherwise the one that the running server has read, which a command started in another folder
 * would not find. Throws `ConfigError` for everything that is wrong except unset variables.
 */
export async function readCommandConfig(context: CommandContext): Promise<CommandConfig> {
  const found = readHere(context);
  const served = await readServed(found.config.dataFolder);
  const isNamed = context.text('config') !== null;
  const theirs = served === null ? null : served.source;
  const isOther = served !== null && !isNamed && theirs !== null && theirs.path !== found.source?.path;
  const loaded = isOther ? readHere(context, theirs.path) : found;
  return { loaded, isServed: served !== null, difference: served === null ? null : differenceOf(loaded, theirs) };
}

function readHere(context: CommandContext, file?: string): LoadedConfig {
  try {
    return context.config(undefined, file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return context.config('all', file);
  }
}

function differenceOf({ source, file }: LoadedConfig, theirs: ConfigSource | null): string | null {
  if (theirs === null)
    return source === null
      ? null
      : `the running server has read no file; it reads ${file} at its next start, if it finds it`;
  if (source === null) return null;
  if (source.path !== theirs.path) return `the running server has read ${theirs.path}, not ${file}`;
  return source.digest === theirs.digest
    ? null
    : `${file} has changed since the running server read it; reload it (SIGHUP) or restart it`;
}

interface Served {
  /** Null if the server has read no file. */
  readonly source: ConfigSource | null;
}

/** Null if no server runs or it cannot be reached; other checks report that. */
async function readServed(dataFolder: string): Promise<Served | null> {
  try {
    const client = await connectToServer(dataFolder);
    if (client === null) return null;
    const { data } = readJson<{ data: { configuration: ConfigSource | null } }>(
      await client.call('GET', '/control/api/status'),
    );
    return { source: data.configuration };
  } catch (error) {
    if (error instanceof CommandFailed) return null;
    throw error;
  }
}
