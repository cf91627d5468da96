/** `npm start`: installs what is missing, builds the dashboard if it changed, then serves. Arguments are those of `turnpike serve`. */
import { join } from 'node:path';
import { swallowedFlags } from './npm-flags.mjs';
import { installMissing, launch, projectFolder, runUnderRuntime, SetupProblem } from './setup.mjs';
import { tryPrepareWeb } from './web.mjs';

await launch(() => {
  const swallowed = swallowedFlags(process.argv.slice(2), process.env);
  if (swallowed !== null) throw new SetupProblem(swallowed);
  installMissing();
  tryPrepareWeb();
  return runUnderRuntime([join(projectFolder, 'src', 'cli.ts'), 'serve', ...process.argv.slice(2)]);
});
