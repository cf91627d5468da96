/** A node is paused for 2 s, then for `TURNPIKE_PROVE_PAUSE_SECONDS`: it is fenced, and the sums are exact. */
import { pausedNode } from './support/nodes/paused-node.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-pauses', () => pausedNode(countFrom('TURNPIKE_PROVE_PAUSE_SECONDS', 150)));
