/**
 * `TURNPIKE_PROVE_ACTIONS` actions of several nodes over a model of the bank, and `TURNPIKE_PROVE_RACES` races for the last money:
 * no invariant is broken.
 */
import { raceForLast } from './nodes-simulator/race-for-last.ts';
import { simulateNodes } from './nodes-simulator/simulate-nodes.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-simulator', async (seed) => {
  const races = countFrom('TURNPIKE_PROVE_RACES', 200);
  for (let race = 0; race < races; race += 1) await raceForLast(seed + race);
  const { actions, worlds, calls, seen } = await simulateNodes(seed, countFrom('TURNPIKE_PROVE_ACTIONS', 60_000));
  const text = (count: number) => count.toLocaleString('en-US');
  const cases = ['session: nodes_lost', 'late', 'late, borne by the operator'].map(
    (what) => `${text(seen.get(what) ?? 0)} × ${what.replace('session: ', '').replaceAll('_', ' ')}`,
  );
  return (
    `${races} races of 1,000 calls on 4 nodes for 100 holds: 100 served in each; ` +
    `${text(actions)} actions in ${text(worlds)} worlds of 2 to 4 nodes, ${text(calls)} calls, ${cases.join(', ')}; 0 violations`
  );
});
