/** Three of four nodes are killed and left dead, `TURNPIKE_PROVE_DEAD_ROUNDS` times: their shares come back. */
import { deadNodes } from './support/nodes/dead-nodes.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-dead', () => deadNodes(countFrom('TURNPIKE_PROVE_DEAD_ROUNDS', 7)));
