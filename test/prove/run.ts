/**
 * Runs every `*.prove.ts` in this folder, or those with one of the given names, or whose name contains one of the given parts, one after the
 * other, each as a separate program; then prints a table of their results. Exit 1 when a promise was broken.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

interface Proven {
  readonly name: string;
  readonly holds: boolean;
  readonly seconds: string;
  /** The proof's own last line. */
  readonly figures: string;
}

const parts = process.argv.slice(2);
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.prove.ts'))
  .map((file) => file.slice(0, -'.prove.ts'.length))
  .filter((name, _index, all) => parts.length === 0 || parts.some((part) => isMeant(part, name, all)))
  .sort();
if (names.length === 0) {
  console.error(`No proof's name contains ${parts.join(' or ')}.`);
  process.exit(1);
}
const proven: Proven[] = [];
for (const name of names) proven.push(await prove(name));
process.stdout.write(`\n${table(proven)}\n`);
process.exitCode = proven.every(({ holds }) => holds) ? 0 : 1;

/** A part that is the whole name of a proof means that one alone. */
function isMeant(part: string, name: string, all: readonly string[]): boolean {
  return all.includes(part) ? name === part : name.includes(part);
}

async function prove(name: string): Promise<Proven> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.prove.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    said += text;
    process.stdout.write(text);
  });
  const [code] = await once(child, 'close');
  const lines = said.trimEnd().split('\n');
  const figures = (lines.at(-1) ?? '').replace(`${name}: `, '');
  return { name, holds: code === 0, seconds: ((performance.now() - startedAt) / 1000).toFixed(0), figures };
}

function table(rows: readonly Proven[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, holds, seconds, figures }) =>
      [holds ? 'holds   ' : 'VIOLATED', name.padEnd(width), `${seconds.padStart(5)} s`, figures].join('  '),
    )
    .join('\n');
}
