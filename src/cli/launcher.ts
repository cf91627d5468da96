/**
 * Detects the end of the process that launched this one (`scripts/setup.mjs`) by the end of a pipe between them: killed with `kill -9` it
 * forwards no signal, and an orphaned server would keep the data folder's lock.
 */
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';

/** Set by the launcher: the file descriptor that stays open as long as the launcher runs. */
export const LAUNCHER_FILE = 'TURNPIKE_LAUNCHER_FD';

/** Lower descriptors are the standard streams. */
const FIRST_FREE_FILE = 3;

/**
 * Sends SIGTERM to this process when its launcher has ended. Does nothing if no launcher has set the variable. The pipe does not keep the
 * process running.
 */
export function endWithLauncher(environment: Readonly<Record<string, string | undefined>>): void {
  const text = environment[LAUNCHER_FILE];
  // Child processes of this one do not inherit the descriptor.
  delete process.env[LAUNCHER_FILE];
  const file = Number(text);
  // An IPC channel means that another program started this process, and the descriptor may be that channel.
  if (text === undefined || process.channel || file < FIRST_FREE_FILE || !isSocket(file)) return;
  const pipe = new Socket({ fd: file, readable: true, writable: false });
  // However it ends, the launcher is gone.
  pipe.on('error', () => {});
  pipe.once('close', () => process.kill(process.pid, 'SIGTERM'));
  pipe.resume();
  pipe.unref();
}

/** If the variable was inherited without the pipe, the descriptor may be closed, or anything. */
function isSocket(file: number): boolean {
  try {
    return fstatSync(file).isSocket();
  } catch {
    return false;
  }
}
