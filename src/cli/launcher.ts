/**
 * The end of the process that launched this one (`scripts/setup.mjs`), seen as the end of a pipe between the two: killed with
 * `kill -9` it passes no signal on, and a server that nobody is in charge of would keep the data folder's lock.
 */
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';

/** Set by the launcher: the number of the file that stays open for as long as the launcher lives. */
export const LAUNCHER_FILE = 'TURNPIKE_LAUNCHER_FD';

/** Below it are the standard streams. */
const FIRST_FREE_FILE = 3;

/**
 * Sends this process SIGTERM when its launcher is gone; nothing where no launcher says that it holds a pipe. It is no reason
 * for the process to stay.
 */
export function endWithLauncher(environment: Readonly<Record<string, string | undefined>>): void {
  const text = environment[LAUNCHER_FILE];
  // Not for the processes that this one starts: they have no such file.
  delete process.env[LAUNCHER_FILE];
  const file = Number(text);
  // A channel means that another started this, and the file may be that.
  if (text === undefined || process.channel || file < FIRST_FREE_FILE || !isSocket(file)) return;
  const pipe = new Socket({ fd: file, readable: true, writable: false });
  // However it ends, there is no launcher any more.
  pipe.on('error', () => {});
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume();
  pipe.unref();
}

/** Where the variable was handed on without the pipe, the number may be free, or anything. */
function isSocket(file: number): boolean {
  try {
    return fstatSync(file).isSocket();
  } catch {
    return false;
  }
}
