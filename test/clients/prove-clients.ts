/** Every client of the table over every backend; a line for each, with what it could not do. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clients } from './client-table.ts';
import { openBackends } from './open-backends.ts';
import { JAVASCRIPT, runClient } from './run-client.ts';

interface Setup {
  installMissing(options: { readonly folder: string }): void;
}

interface Python {
  preparePython(folder: undefined, command: undefined, set: string): void;
  findPython(folder: undefined, set: string): { readonly python: string | null; readonly problem: string | null };
}

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');

/** `parts`: only clients whose name contains one of them; all if empty. Throws if a check failed; returns the figures. */
export async function proveClients(parts: readonly string[]): Promise<string> {
  const python = await install();
  const chosen = clients.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  const backends = await openBackends();
  let passed = 0;
  let failed = 0;
  try {
    const { url: base, key } = backends.gateway;
    for (const client of chosen)
      for (const [backend, model] of backends.models) {
        const checks = await runClient(client, { base, key, model, python });
        const problems = checks.filter(({ problem }) => problem !== null);
        passed += checks.length - problems.length;
        failed += problems.length;
        process.stdout.write(
          `${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${client.name} over ${backend}: ${checks.length} checks\n`,
        );
        for (const { name, problem } of problems) process.stdout.write(`        ${name}: ${problem}\n`);
      }
  } finally {
    await backends.close();
  }
  if (failed > 0) throw new Error(`${failed} of ${passed + failed} checks failed`);
  return `${chosen.length} clients over ${backends.models.size} backends, ${passed} checks, 0 failed`;
}

/** Installs what is missing; the Python interpreter. */
async function install(): Promise<string> {
  const { installMissing } = (await import(pathToFileURL(join(SCRIPTS, 'setup.mjs')).href)) as Setup;
  const { preparePython, findPython } = (await import(pathToFileURL(join(SCRIPTS, 'python.mjs')).href)) as Python;
  // The packages are not part of the checkout: the programs run beside them.
  cpSync(join(import.meta.dirname, 'javascript'), JAVASCRIPT, { recursive: true });
  installMissing({ folder: JAVASCRIPT });
  preparePython(undefined, undefined, 'clients');
  const { python, problem } = findPython(undefined, 'clients');
  if (python === null) throw new Error(problem ?? 'there is no Python');
  return python;
}
