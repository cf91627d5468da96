/** The control plane for one command, in its own process: for when no server runs on the data folder. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { openApp } from './app.ts';

export interface OpenedForCommand {
  readonly control: FastifyInstance;
  close(): Promise<void>;
}

/** Takes the data folder's lock, unless everything is in a database, of which it becomes no node. With `mayBegin`, creates the first key if there is none and the operator chose it. */
export async function openForCommand(
  config: Config,
  { mayBegin }: { readonly mayBegin: boolean },
): Promise<OpenedForCommand> {
  const app = await openApp(config, { role: 'command' });
  try {
    // A key that the operator chose cannot be lost; any other is created and shown by `serve`.
    if (mayBegin && config.bootstrapKey !== null) await app.begin();
    return { control: app.control, close: () => app.close() };
  } catch (error) {
    await app.close();
    throw error;
  }
}
