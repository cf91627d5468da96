/**
 * What a fresh clone needs before its TypeScript runs: the packages of the lock file, among them
 * the Node that runs the program. Plain JavaScript for Node 18 and later, because the system
 * may have nothing newer; it never imports a package.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import os, { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeProblem } from './check-runtime.mjs';

export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const OLDEST_LAUNCHER = 18;
const RUNTIME = 26;
/** Where the program finds its end of the pipe that ends with this process; see `src/cli/launcher.ts`. */
const PIPE_FILE = 3;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A reason to stop, as one sentence for a person. */
export class SetupProblem extends Error {}

/**
 * Installs the missing packages of the folder's lock file; says so in one line. `dev` includes the packages that only
 * building and testing need; without it they are not required, and stay where they are. Throws `SetupProblem`.
 */
export function installMissing({ folder = projectFolder, lockName = 'package-lock.json', dev = false } = {}) {
  if (majorOf(process.versions.node) < OLDEST_LAUNCHER) {
    throw new SetupProblem(
      `Turnpike needs Node ${OLDEST_LAUNCHER} or later to set itself up; this is ${process.versions.node}.`,
    );
  }
  const difference = missingPackage(folder, dev);
  if (difference === null) return;
  process.stderr.write(`Installing the packages of ${lockName} (${difference}) …\n`);
  // `npm ci` starts by removing all packages: if only others are missing, those of a running server stay.
  if (dev && missingPackage(folder, false) === null) {
    runNpm(folder, ['install', '--no-save', '--include=dev']);
    if (missingPackage(folder, dev) === null) return;
  }
  // Explicit, because NODE_ENV and a person's own settings may say otherwise.
  runNpm(folder, ['ci', dev ? '--include=dev' : '--omit=dev']);
}

/** No package may run a script here: none needs to, and a compromised one could do anything. */
function runNpm(folder, parameters) {
  const { command, leading } = npmCommand();
  const result = spawnSync(command, [...leading, ...parameters, '--include=optional', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.error)
    throw new SetupProblem(`npm could not be started (${result.error.message}); install npm and try again.`);
  if (result.status !== 0) throw new SetupProblem(explainNpm(`${result.stderr}\n${result.stdout}`));
}

/**
 * Why the installed packages differ from the lock file, or null if they do not; those that only building and testing
 * need are ignored without `dev`. npm writes
 * `node_modules/.package-lock.json` last, so an installation that was cut short counts as missing.
 */
export function missingPackage(folder, dev = true) {
  const wanted = readPackages(join(folder, 'package-lock.json'));
  if (wanted === null)
    throw new SetupProblem('package-lock.json is missing or broken; restore it from the repository.');
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
  if (installed === null) return 'none are installed';
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === '' || !isForThisMachine(entry) || (entry.dev === true && !dev)) continue;
    const found = installed[path];
    if (found === undefined && entry.optional) continue;
    if (found?.version !== entry.version || found.integrity !== entry.integrity) {
      return `${path.replace(/^node_modules\//, '')} ${entry.version} is not installed`;
    }
  }
  return null;
}

/** The Node that runs the TypeScript: the one of the lock file once it was checked, else this one when it is new enough. Throws `SetupProblem`. */
export function runtimePath(folder = projectFolder) {
  const pinned = join(folder, 'node_modules', '.bin', 'node');
  if (existsSync(pinned)) {
    const problem = runtimeProblem(folder, pinned);
    if (problem !== null) throw new SetupProblem(problem);
    return pinned;
  }
  if (majorOf(process.versions.node) >= RUNTIME) return process.execPath;
  throw new SetupProblem(
    `Turnpike runs on Node ${RUNTIME}, which its lock file carries for Linux on x64 and arm64; ` +
      `on ${process.platform} ${process.arch} install Node ${RUNTIME} yourself and run this again.`,
  );
}

/**
 * Runs a script under the pinned Node with this terminal and passes signals on; a program that watches the pipe notices
 * even the kill that cannot be passed on. Resolves to the
 * exit code; a child killed by a signal counts as 128 + its number, as in a shell.
 */
export function runUnderRuntime(parameters, folder = projectFolder) {
  const runtime = runtimePath(folder);
  const child = spawn(runtime, [...runtimeFlags(), ...parameters], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...runtimeEnvironment(folder), TURNPIKE_LAUNCHER_FD: String(PIPE_FILE) },
  });
  // Nothing is ever sent: it only stays open while this process lives, and does not keep it alive.
  const pipe = child.stdio[PIPE_FILE];
  pipe?.on('error', () => {});
  pipe?.unref();
  // A terminal sends Ctrl-C to the whole group, so the child already has it; a second one would cut its drain short.
  const forward = (signal) => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal));
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(
        new SetupProblem(`The Node of the lock file (${runtime}) does not run on this machine: ${error.message}.`),
      );
    });
    child.once('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/**
 * V8's helper threads (collecting garbage, compiling) are four, however few cores there are; on one
 * core they only compete with the event loop, which then waits for tens of milliseconds.
 */
export function runtimeFlags(cores = os.availableParallelism?.() ?? os.cpus().length) {
  return [`--v8-pool-size=${Math.min(4, Math.max(1, cores - 1))}`];
}

/** Compiled code is kept, so that a warm start does not strip and compile every file again. */
export function runtimeEnvironment(folder = projectFolder) {
  return { NODE_COMPILE_CACHE: join(folder, 'node_modules', '.cache', 'compile'), ...process.env };
}

/** Runs a launcher: its exit code becomes the process's, and a `SetupProblem` is one sentence and exit 1. */
export async function launch(run) {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function readPackages(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text).packages ?? null;
  } catch {
    // Half a file counts as none: the installation is made again.
    return null;
  }
}

function isForThisMachine(entry) {
  const fits = (list, value) => list === undefined || list.includes(value);
  if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch)) return false;
  return entry.libc === undefined || entry.libc.includes(isMusl() ? 'musl' : 'glibc');
}

let musl;
function isMusl() {
  musl ??= process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return musl;
}

/** Under `npm start` npm passes its path; otherwise it is searched for on PATH. */
function npmCommand() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js') && existsSync(script)) return { command: process.execPath, leading: [script] };
  return { command: 'npm', leading: [] };
}

function explainNpm(output) {
  const lines = output.trim().split('\n');
  const tail = lines.slice(-12).join('\n');
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output)) {
    // The cause is in npm's first lines; the stack after them does not help.
    const cause = lines
      .filter((line) => line.startsWith('npm error'))
      .slice(0, 2)
      .join('\n');
    return `The npm registry cannot be reached, so the packages cannot be installed; check the network and \`npm config get registry\`.\n${cause}`;
  }
  if (/ENOSPC/.test(output)) return `The disk is full, so the packages cannot be installed.\n${tail}`;
  if (/EACCES|EPERM|EROFS/.test(output)) return `The folder node_modules cannot be written here.\n${tail}`;
  return `npm ci failed, so Turnpike cannot start:\n${tail}`;
}

function majorOf(version) {
  return Number(version.split('.')[0]);
}
