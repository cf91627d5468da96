#!/usr/bin/env node
/** The command `turnpike` of a checkout: whatever Node starts it, the pinned one runs it. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from '../scripts/setup.mjs';

await launch(() => {
  installMissing();
  return runUnderRuntime([join(projectFolder, 'src', 'cli.ts'), ...process.argv.slice(2)]);
});
