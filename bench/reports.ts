/** What a subject measures about itself, with a module that is loaded before its own code, and reports on SIGUSR2. */
import { join } from 'node:path';
import type { PinnedProcess } from './pinned-process.ts';

/** Flags that load a module of this folder into a Node program. */
export function loading(module: string): string[] {
  return ['--import', join(import.meta.dirname, module)];
}

/** Asks for the next report `<word> <n> <figure>`. */
export function reportsOf(child: PinnedProcess, word: string): () => Promise<number> {
  let reports = 0;
  return async () => {
    reports += 1;
    process.kill(child.pid, 'SIGUSR2');
    const [, figure] = await child.printed(new RegExp(`^${word} ${reports} (\\S+)$`, 'm'));
    return Number(figure);
  };
}
