/** The file that a configuration is read from. */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Steps } from '../core/turns/steps.ts';
import type { ConfigRequest } from './config.ts';
import { type ConfigSource, configSource } from './config-source.ts';
import { Environment, type Variable } from './environment.ts';
import type { Problem } from './problem.ts';

const SYSTEM_FILE = '/etc/turnpike/turnpike.yaml';

/** The first file that applies. A named file must exist; the default locations may be empty. */
export function* findFile(
  request: ConfigRequest,
  problems: Problem[],
): Steps<{ readonly name: string; readonly text: string; readonly source: ConfigSource } | null> {
  const named: Variable | null =
    request.flags['config'] !== undefined
      ? { value: request.flags['config'], source: 'flag --config' }
      : new Environment(request.environment, request.cwd).read('TURNPIKE_CONFIG');
  const candidates =
    named === null ? [join(request.cwd, 'turnpike.yaml'), SYSTEM_FILE] : [resolve(request.cwd, named.value)];
  for (const path of candidates) {
    try {
      const bytes = readFileSync(path);
      const source = yield* configSource(path, bytes);
      return { name: displayPath(path, request.cwd), text: bytes.toString('utf8'), source };
    } catch (error) {
      if (named === null && (error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      problems.push({ where: named?.source ?? path, message: `the file cannot be read: ${(error as Error).message}` });
      return null;
    }
  }
  return null;
}

function displayPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
