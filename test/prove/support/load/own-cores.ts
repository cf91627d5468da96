/**
 * A core for the server, and another one for its callers and its provider. Where they share cores, an open load takes from the server
 * the time that it is measured by, and the figure says as much about the callers as about the server.
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const SERVER_CORE = '0';
const LOAD_CORE = '1';

/** Ties this process to its core, and with it every child that it starts from now on. Returns the prefix of a server's command. */
export function ownCores(): readonly string[] {
  if (availableParallelism() < 2) return [];
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', LOAD_CORE, String(process.pid)]);
  return ['taskset', '--cpu-list', SERVER_CORE];
}
