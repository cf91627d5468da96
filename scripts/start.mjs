/** `npm start`: installs what is missing, builds the dashboard where it changed, then serves. Arguments are those of `turnpike serve`. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from './setup.mjs';
import { tryPrepareWeb } from './web.mjs';

await launch(() => {
  installMissing();
  tryPrepareWeb();
  return runUnderRuntime([join(projectFolder, 'src', 'cli.ts'), 'serve', ...process.argv.slice(2)]);
});
