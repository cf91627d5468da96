/** Every page of the dashboard at both widths in both colour schemes: `npm test` sees the wide one in light, and the narrow one in dark. */
import assert from 'node:assert/strict';
import { BOTH_SCHEMES } from '../browser/schemes.ts';
import { prove } from './support/prove.ts';
import { runTestFiles } from './support/run-test-files.ts';

const FILES = ['test/browser/pages-desk.test.ts', 'test/browser/pages-phone.test.ts'];

await prove('pages', async () => {
  const { passed, output } = await runTestFiles(FILES, { [BOTH_SCHEMES]: '1' });
  assert.equal(output.match(/✔ every page .*, in light and dark/g)?.length, 4, 'each tour saw both');
  return `${passed} tests of ${FILES.length} files pass in light and in dark`;
});
