/** Hostile bodies of every family, of several seeds: no stage works more than in proportion to the bytes. */
import { linear } from './support/linear.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('linear', (seed) => linear(countFrom('TURNPIKE_PROVE_LINEAR_SEEDS', 8), seed));
