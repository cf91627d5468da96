/** `TURNPIKE_PROVE_RACES` times a thousand requests for a hundred holds: a hundred are served, to the nano. */
import { prove } from './support/prove.ts';
import { races } from './support/race.ts';
import { countFrom } from './support/seeded.ts';

await prove('race', (seed) => races(countFrom('TURNPIKE_PROVE_RACES', 100), seed));
