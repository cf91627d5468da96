/** `npm run soak [-- --short]`: an hour of load, or three minutes; see docs/guide/proof.md. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from './setup.mjs';

await launch(() => {
  installMissing({ dev: true });
  return runUnderRuntime([join(projectFolder, 'test', 'soak', 'run.ts'), ...process.argv.slice(2)]);
});
