/** The rows of the fault table that take longer than a test may: docs/reference/faults.md. */
import { longRow } from '../faults/rows/fault-row.ts';
import { drainWithStreams, fewDescriptors, littleMemory, pricesUnderLoad } from './support/long-faults.ts';
import { powerFailure } from './support/power-failure.ts';
import { prove } from './support/prove.ts';

const FILE = import.meta.filename;
const ROWS = [
  longRow('C21', FILE, fewDescriptors),
  longRow('S2', FILE, powerFailure),
  longRow('S13', FILE, drainWithStreams),
  longRow('S14', FILE, pricesUnderLoad),
  longRow('S15', FILE, littleMemory),
];

await prove('faults', async () => {
  for (const run of ROWS) process.stdout.write(`${await run()}\n`);
  return `${ROWS.length} rows hold`;
});
