/** `TURNPIKE_PROVE_KILLS` kills of the real program under load: nothing is lost, nothing is charged twice. */
import { killLoop } from './support/kill-loop.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('kill-loop', (seed) => killLoop(countFrom('TURNPIKE_PROVE_KILLS', 200), seed));
