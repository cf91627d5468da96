/** The child process of `start-gateway.ts`: the whole program, controlled by its parent. */
import { rmSync } from 'node:fs';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { NO_LOAD } from '../../src/gateway/capacity/load-guard.ts';

const { config } = loadConfig({ flags: {}, environment: process.env, cwd: process.cwd() });
// A busy machine must not make the gateway shed a test's calls.
const app = await openApp(config, { load: NO_LOAD });
const { url } = await app.listen();
await app.begin();

process.on('message', (message) => {
  if (message !== 'stop') return;
  app.close().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
// A parent that died leaves neither a gateway nor its folder behind; the folder is where this process was started.
process.on('disconnect', () => {
  rmSync(process.cwd(), { recursive: true, force: true });
  process.exit(1);
});
process.send?.({ url });
