/** System calls of a running process that fail as a broken disk makes them, by `strace`: https://strace.io */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export interface InjectedErrors {
  /** Names of system calls. */
  readonly calls: readonly string[];
  /** What they fail with: `EIO`. */
  readonly error: string;
  /** Only when they touch these files. */
  readonly paths?: readonly string[];
}

/** Why nothing can be injected here; null if it can. */
export function whyNotInjected(): string | null {
  const tried = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
  if (tried.error !== undefined) return 'strace is not installed';
  return tried.status === 0 ? null : `strace may not trace here: ${tried.stderr.trim()}`;
}

/** The prefix of a command whose system calls fail from its start. */
export function straceCommand(errors: InjectedErrors): string[] {
  return ['strace', ...parameters(errors)];
}

/** From when it resolves until `end` resolves. Rejects if strace cannot attach. */
export async function inject(processId: number, errors: InjectedErrors): Promise<{ end(): Promise<void> }> {
  const strace = spawn('strace', [...parameters(errors), '-p', String(processId)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(strace, 'close');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (bytes: Buffer) => {
      output += bytes;
      if (/ attached/.test(output)) resolve();
    });
    gone.then(() => reject(new Error(`strace ended: ${output}`)), reject);
  });
  return {
    async end() {
      strace.kill('SIGINT');
      await gone;
    },
  };
}

function parameters({ calls, error, paths = [] }: InjectedErrors): string[] {
  const names = calls.join(',');
  const only = paths.flatMap((path) => ['-P', path]);
  return ['-f', '-o', '/dev/null', ...only, '-e', `trace=${names}`, '-e', `inject=${names}:error=${error}`];
}
