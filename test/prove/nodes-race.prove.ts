/** `TURNPIKE_PROVE_NODE_RACES` times a thousand requests over four nodes for a hundred holds: a hundred are served, to the nano. */
import { raceNodes } from './support/nodes/race-nodes.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-race', (seed) => raceNodes(countFrom('TURNPIKE_PROVE_NODE_RACES', 100), seed));
