/** Nodes whose clocks are an hour apart serve as one. */
import { wrongClocks } from './support/nodes/wrong-clocks.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-clocks', () => wrongClocks(countFrom('TURNPIKE_PROVE_CLOCK_SECONDS', 20)));
