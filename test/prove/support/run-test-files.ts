/** Runs test files as a part of a proof: each in a process of its own, with other variables than `npm test` gives them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '../../..');

/** `files` are relative to the project. Prints what the tests said, and throws, if one fails. Resolves to what they said. */
export async function runTestFiles(
  files: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly passed: number; readonly output: string }> {
  const flags = ['--test', '--test-timeout=120000', '--test-concurrency=2', '--test-reporter=spec'];
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) process.stdout.write(output);
  assert.equal(code, 0, 'tests failed');
  return { passed: Number(/^ℹ pass (\d+)$/m.exec(output)?.[1] ?? 0), output };
}
