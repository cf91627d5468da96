/** Programs that are measured with, or beside which is measured, from packages of the distribution. */
import { spawnSync } from 'node:child_process';

/** Installs the package that has the program where it is missing; answers whether the program is there then. */
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

/** Services are not to be started: a machine that had no nginx keeps its port 80 free. */
function aptGet(arguments_: readonly string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync('apt-get', arguments_, { stdio: 'inherit', env: environment }).status === 0;
}
