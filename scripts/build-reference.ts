/**
 * `node scripts/build-reference.ts` writes the tables of the docs that come from code: options,
 * providers, commands, metrics, governed fields, translation, the management API, what operations are charged by. The prose around them is written by hand. Run after
 * a change to any of these; `test/docs.test.ts` fails until then.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fillSections } from './build-reference/fill-sections.ts';
import { referencePages } from './build-reference/reference-pages.ts';

for (const [page, tables] of Object.entries(await referencePages())) {
  const address = new URL(`../docs/${page}`, import.meta.url);
  const before = readFileSync(address, 'utf8');
  const after = fillSections(before, tables);
  if (after !== before) writeFileSync(address, after);
  process.stdout.write(`${after === before ? 'as it was' : 'written  '}  docs/${page}\n`);
}
