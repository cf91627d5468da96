/** `TURNPIKE_PROVE_RUNS` random prices, prompts and parameters: no honest call costs more than was held for it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

const TEST = join(import.meta.dirname, '..', '..', 'src', 'billing', 'bound.test.ts');

await prove('bound', async () => {
  const runs = countFrom('TURNPIKE_PROVE_RUNS', 100_000);
  const { status, stdout } = spawnSync(process.execPath, ['--test', TEST], {
    encoding: 'utf8',
    env: { ...process.env, TURNPIKE_PROVE_RUNS: String(runs) },
  });
  // A counterexample comes with a seed of its own.
  if (status !== 0) throw new Error(stdout);
  return `${runs.toLocaleString('en-US')} random calls a property, 0 above their hold`;
});
