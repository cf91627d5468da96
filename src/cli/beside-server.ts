/** The configuration as a command sees it, which may run beside a server that was started with other variables. */
import { ConfigError, type LoadedConfig } from '../config.ts';
import { type CommandContext, CommandFailed } from './command.ts';
import { connectToServer } from './control-client.ts';

export const SERVED_ELSEWHERE = 'the server that runs was started with variables of its own';

export interface BesideServer {
  /** `lacking` holds what comes from variables that are not set here. */
  readonly loaded: LoadedConfig;
  /** Whether a server runs on this data folder, so that what is lacking here need not be lacking there. */
  readonly isServed: boolean;
}

/** Throws `ConfigError` for all that is wrong but variables that are not set. */
export async function readBesideServer(context: CommandContext): Promise<BesideServer> {
  try {
    return { loaded: context.config(), isServed: false };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const loaded = context.config('all');
    return { loaded, isServed: await isServed(loaded.config.dataFolder) };
  }
}

/** One that cannot be asked is told of elsewhere. */
async function isServed(dataFolder: string): Promise<boolean> {
  try {
    return (await connectToServer(dataFolder)) !== null;
  } catch (error) {
    if (error instanceof CommandFailed) return false;
    throw error;
  }
}
