/** `TURNPIKE_PROVE_NODE_KILLS` kills over four nodes on one database: nothing is lost, nothing is charged twice. */
import { killNodes } from './support/nodes/kill-nodes.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-kills', (seed) =>
  killNodes({ kills: countFrom('TURNPIKE_PROVE_NODE_KILLS', 1_000), diskLost: 0, seed }),
);
