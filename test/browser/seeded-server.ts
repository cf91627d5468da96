/** `turnpike serve` on a data folder with weeks of made-up calls, for pages with something to show. */
import { once } from 'node:events';
import type { ConfigFile } from '../support/open-gateway.ts';
import { newInstallation, type ServeProcess, startServer } from '../support/serve-process.ts';

export interface SeededServer extends ServeProcess {
  /** Where the first operator is created. */
  readonly setUpLink: string;
}

/** Without calls it is a new installation. */
export async function startSeededServer(calls: number, file: ConfigFile = {}): Promise<SeededServer> {
  const installation = await newInstallation(file);
  // Loaded only here: the program is not needed otherwise.
  if (calls > 0) await (await import('./seed-calls.ts')).seedCalls(installation, calls);
  const server = await startServer(installation);
  return { ...server, setUpLink: await printedLink(server) };
}

/** Printed with the address or right after it. */
async function printedLink(server: ServeProcess): Promise<string> {
  for (;;) {
    const link = /http:\S+#token=\S+/.exec(server.printed())?.[0];
    if (link !== undefined) return link;
    await Promise.race([
      once(server.process.stdout ?? server.process, 'data'),
      once(server.process, 'exit').then(() => {
        throw new Error(`it ended without a link:\n${server.printed()}`);
      }),
    ]);
  }
}
