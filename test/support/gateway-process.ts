/** The child process behind `start-gateway.ts`: the whole program, told what to do by its parent. */
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

const { config } = loadConfig({ flags: {}, environment: process.env, cwd: process.cwd() });
const app = await openApp(config);
const { url } = await app.listen();

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
// A parent that died leaves no gateway behind.
process.on('disconnect', () => process.exit(1));
process.send?.({ url });
