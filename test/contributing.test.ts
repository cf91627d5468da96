/**
 * Goal: whoever changes something finds the files in CONTRIBUTING's table. Method: each path of the table is looked up, and each folder of
 * the program is looked for in it.
 */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';

const ROOT = resolve(import.meta.dirname, '..');

interface Row {
  readonly change: string;
  /** Paths, some of them relative to the folder of an earlier one, or to any dialect's. */
  readonly paths: readonly string[];
}

const rows = tableRows(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));

describe('CONTRIBUTING’s table of what to touch', () => {
  test('each path in it is there', () => {
    assert.ok(rows.length > 50);
    const missing = rows.flatMap(({ change, paths }) => {
      const folders = ['.', 'src', 'src/dialects/*'];
      return paths.flatMap((path) => {
        const found = folders
          .map((folder) => join(folder, path))
          .find((each) => globSync(each, { cwd: ROOT }).length > 0);
        if (found === undefined) return `${change}: ${path}`;
        folders.push(path.endsWith('/') ? found : dirname(found));
        return [];
      });
    });
    assert.deepEqual(missing, []);
  });

  test('each folder of the program is in it', () => {
    const all = rows.flatMap(({ paths }) => paths);
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? `${entry.name}/` : [],
    );
    const unnamed = folders.filter((folder) => !all.some((path) => path.startsWith(folder)));
    assert.deepEqual(unnamed, []);
  });

  test('a path that is not there is found', () => {
    const [row] = tableRows('## To change X\n| x | `gateway/no-such-file.ts`; `npm test` | `npm test` |\n## Style');
    assert.deepEqual(row?.paths, ['gateway/no-such-file.ts']);
  });
});

function tableRows(markdown: string): readonly Row[] {
  const section = markdown.slice(markdown.indexOf('## To change X'), markdown.indexOf('## Style'));
  return section.split('\n').flatMap((line) => {
    const [, change = '', touch = ''] = line.split(/(?:^| )\| /);
    if (!line.startsWith('| ') || /^-+$/.test(change) || change === 'to change') return [];
    const words = [...touch.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
    return { change, paths: words.filter(isPath).map((word) => word.replace(/<[^>]*>/g, '*')) };
  });
}

/** Not a command, and not a name in the code. */
function isPath(word: string): boolean {
  return !/\s/.test(word) && (word.includes('/') || /\.(?:ts|tsx|mjs|json|yaml|md)$/.test(word));
}
