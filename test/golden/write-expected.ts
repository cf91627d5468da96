/** `node test/golden/write-expected.ts` writes what the golden tests expect; review the diff before you keep it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectedFolder, snapshots } from './snapshots.ts';

// Everything is computed first: if a codec fails, the old files stay.
const texts = snapshots();
rmSync(expectedFolder, { recursive: true, force: true });
for (const [path, text] of texts) {
  const file = fileURLToPath(new URL(path, expectedFolder));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
process.stdout.write(`${texts.size} files below test/golden/expected\n`);
