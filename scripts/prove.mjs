/** `npm run prove [part of a name …]`: the proofs in full size; see docs/guide/proof.md. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from './setup.mjs';
import { prepareWeb } from './web.mjs';

await launch(() => {
  installMissing({ dev: true });
  // Some proofs open its pages.
  prepareWeb();
  return runUnderRuntime([join(projectFolder, 'test', 'prove', 'run.ts'), ...process.argv.slice(2)]);
});
