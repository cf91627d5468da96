/** `TURNPIKE_PROVE_RACES` times a thousand requests for a hundred holds: a hundred are served, to the nano. And a tenth as
 * often a race of each paid operation besides conversations. */

import { partRaces } from './support/part-races.ts';
import { prove } from './support/prove.ts';
import { races } from './support/race.ts';
import { countFrom } from './support/seeded.ts';

const rounds = countFrom('TURNPIKE_PROVE_RACES', 100);
await prove('race', (seed) => races(rounds, seed));
await prove('race of operations', (seed) => partRaces(Math.ceil(rounds / 10), seed));
