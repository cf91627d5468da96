/**
 * `TURNPIKE_PROVE_RUNS` random prices, prompts and parameters: no honest call costs more than was held for it, no text grows by
 * more than is said when it is normalised, and (a hundredth as often) no translation is longer than its bound.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');
const TESTS = [
  'billing/bound.test.ts',
  'wire/normalised-growth.test.ts',
  'gateway/admission/written-bound.test.ts',
].map((file) => join(SOURCE, file));

await prove('bound', async () => {
  const runs = countFrom('TURNPIKE_PROVE_RUNS', 100_000);
  const { status, stdout } = spawnSync(process.execPath, ['--test', ...TESTS], {
    encoding: 'utf8',
    env: { ...process.env, TURNPIKE_PROVE_RUNS: String(runs) },
  });
  // A counterexample comes with its own seed.
  if (status !== 0) throw new Error(stdout);
  return `${runs.toLocaleString('en-US')} random calls a property, 0 above their hold`;
});
