/**
 * Four nodes behind nginx are restarted one by one under load: no call fails. With `TURNPIKE_PROVE_BEFORE`, the folder of a checkout of an
 * earlier version with its packages, they begin with that one and end with this one.
 */
import { rolling } from './support/nodes/rolling.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-rolling', async () => {
  const rounds = countFrom('TURNPIKE_PROVE_ROLLING_ROUNDS', 2);
  const same = await rolling({ rounds, before: null });
  const before = process.env['TURNPIKE_PROVE_BEFORE'];
  return before === undefined ? same : `${same}; ${await rolling({ rounds: 1, before })}`;
});
