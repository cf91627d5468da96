/** Hostile bodies of every family, as large as the limits let them be: no turn of the event loop above 60 ms. */
import { loop } from './support/loop.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('loop', (seed) => loop(countFrom('TURNPIKE_PROVE_LOOP_RUNS', 3), seed));
