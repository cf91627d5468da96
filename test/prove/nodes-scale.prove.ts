/** A hundred nodes and a million accounts at 10,000 calls a second, simulated for `TURNPIKE_PROVE_SCALE_SECONDS`: what the bank is asked. */

import { type Routing, type ScaleOptions, scaleText, simulateScale } from './support/nodes/scale.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-scale', async (seed) => {
  const seconds = countFrom('TURNPIKE_PROVE_SCALE_SECONDS', 60);
  const lines: string[] = [];
  for (const nodes of [4, 20, 100])
    for (const routing of ['any node', 'by key'] satisfies Routing[]) {
      const options: ScaleOptions = { nodes, accounts: 1_000_000, callsPerSecond: 10_000, seconds, routing, seed };
      const line = scaleText(options, await simulateScale(options));
      process.stdout.write(`${line}\n`);
      lines.push(line);
    }
  return lines.join('; ');
});
