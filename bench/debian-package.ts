/** Programs that are measured, or used for measuring, from packages of the distribution. */
import { spawnSync } from 'node:child_process';

/** Installs the program's package if it is missing; returns whether the program is there then. */
export function ensureProgram(program: string, packageName: string = program): boolean {
  if (isThere(program)) return true;
  process.stderr.write(`${program} is missing; installing the package of the distribution\n`);
  const install = ['install', '--yes', '--no-install-recommends', packageName];
  if (!aptGet(install)) {
    aptGet(['update']);
    aptGet(install);
  }
  return isThere(program);
}

function isThere(program: string): boolean {
  return spawnSync(program, ['-V'], { stdio: 'ignore' }).error === undefined;
}

/** Services must not be started: a machine that had no nginx keeps its port 80 free. */
function aptGet(arguments_: readonly string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync('apt-get', arguments_, { stdio: 'inherit', env: environment }).status === 0;
}
