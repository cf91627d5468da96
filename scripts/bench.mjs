/** `npm run bench`: the published benchmarks; see bench/README.md. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from './setup.mjs';

await launch(() => {
  installMissing({ dev: true });
  return runUnderRuntime([join(projectFolder, 'bench', 'run.ts'), ...process.argv.slice(2)]);
});
