#!/usr/bin/env -S sh -c 'exec "${npm_node_execpath:-node}" "$0" "$@"'
/** The command `turnpike` of a checkout: whatever Node starts it, the pinned one runs it. */
import { join } from 'node:path';
import { installMissing, launch, projectFolder, runUnderRuntime } from '../scripts/setup.mjs';

await launch(() => {
  installMissing();
  return runUnderRuntime([join(projectFolder, 'src', 'cli.ts'), ...process.argv.slice(2)]);
});
