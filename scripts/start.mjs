/** `npm start`: installs what is missing, then serves. Arguments are those of `turnpike serve`. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from './setup.mjs';

await launch(() => {
  installMissing();
  return runUnderRuntime([join(projectFolder, 'src', 'cli.ts'), 'serve', ...process.argv.slice(2)]);
});
