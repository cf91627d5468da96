/** `TURNPIKE_PROVE_KILLS` kills of the real program while it runs a batch: no line is lost, none is charged twice. */
import { killBatches } from './support/kill-batches.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('kill-batches', (seed) => killBatches(countFrom('TURNPIKE_PROVE_KILLS', 50), seed));
