/** Kills over four nodes of which half lose their disk: customers are exact, and no settled call is lost. */
import { killNodes } from './support/nodes/kill-nodes.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-disks', (seed) =>
  killNodes({ kills: countFrom('TURNPIKE_PROVE_NODE_DISKS', 200), diskLost: 0.5, seed }),
);
