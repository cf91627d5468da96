/** Weeks of made-up calls in a data folder. */
import { seedDemo } from '../../scripts/make-traffic/seed-demo.ts';
import { openApp } from '../../src/app/app.ts';
import { openStorage } from '../../src/app/open-storage.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { openDataFolder } from '../../src/storage/folder/data-folder.ts';
import type { Installation } from '../support/serve-process.ts';

/** The first run creates the account and the key whose calls they are. */
export async function seedCalls({ folder: cwd, dataFolder, key }: Installation, calls: number): Promise<void> {
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
