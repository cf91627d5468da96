/** Hostile bodies of every family, as large as the limits let them be: no turn of the event loop above 60 ms. */
import { largeAnswers } from './support/large-answers.ts';
import { loop } from './support/loop.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

const runs = countFrom('TURNPIKE_PROVE_LOOP_RUNS', 3);
await prove('loop', async (seed) => `${await largeAnswers(runs)}; ${await loop(runs, seed)}`);
