/** `npm run demo`: the main tasks against the built-in provider, in a temporary folder; exits by itself. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from './setup.mjs';

await launch(() => {
  installMissing();
  return runUnderRuntime([join(projectFolder, 'scripts', 'run-demo.ts'), ...process.argv.slice(2)]);
});
