/** For tests: reads a configuration file in a separate folder. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';

/** The messages of the file's problems, in order; empty if it is valid. */
export function problemsOf(file: unknown): readonly string[] {
  const cwd = mkdtempSync(join(tmpdir(), 'turnpike-config-'));
  try {
    writeFileSync(join(cwd, 'turnpike.yaml'), JSON.stringify(file));
    loadConfig({ flags: {}, environment: {}, cwd });
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems.map(({ message }) => message);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
