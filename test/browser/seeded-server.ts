/** `turnpike serve` on a data folder with weeks of made-up calls, for pages that have something to show. */
import { once } from 'node:events';
import { seedDemo } from '../../scripts/make-traffic/seed-demo.ts';
import { openApp } from '../../src/app/app.ts';
import { openStorage } from '../../src/app/open-storage.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { openDataFolder } from '../../src/storage/folder/data-folder.ts';
import type { ConfigFile } from '../support/open-gateway.ts';
import { type Installation, newInstallation, type ServeProcess, startServer } from '../support/serve-process.ts';

export interface SeededServer extends ServeProcess {
  /** Where the first operator is made. */
  readonly setUpLink: string;
}

/** Without calls it is a new installation. */
export async function startSeededServer(calls: number, file: ConfigFile = {}): Promise<SeededServer> {
  const installation = await newInstallation(file);
  if (calls > 0) await seed(installation, calls);
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

/** The first run makes the account and the key whose calls they are. */
async function seed({ folder: cwd, dataFolder, key }: Installation, calls: number): Promise<void> {
  const { config } = loadConfig({ flags: {}, environment: { BOOTSTRAP_KEY: key, LOG_LEVEL: 'silent' }, cwd });
  const app = await openApp(config);
  await app.begin();
  await app.close();
  const folder = openDataFolder(dataFolder);
  try {
    const storage = await openStorage(config, {
      clock: systemClock,
      onProblem: ({ type, cause }) => {
        throw new Error(type, { cause });
      },
    });
    await seedDemo(storage, { days: 30, calls, nowMs: Date.now(), seed: 1 });
    await storage.close();
  } finally {
    folder.close();
  }
}
