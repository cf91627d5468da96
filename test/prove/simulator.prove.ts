/** `TURNPIKE_PROVE_ACTIONS` actions over a ledger in memory, `TURNPIKE_PROVE_SQLITE_ACTIONS` over SQLite: no invariant is broken. */
import { type SimulationFigures, simulate } from './simulator/simulate.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

const only = process.env['TURNPIKE_PROVE_STORAGE'];

await prove('simulator', async (seed) => {
  const figures: string[] = [];
  for (const [storage, actions] of [
    ['memory', countFrom('TURNPIKE_PROVE_ACTIONS', 1_000_000)],
    ['sqlite', countFrom('TURNPIKE_PROVE_SQLITE_ACTIONS', 20_000)],
  ] as const) {
    if (only !== undefined && only !== storage) continue;
    figures.push(`${storage} ${inWords(await simulate({ seed, actions, storage }))}`);
  }
  return `${figures.join('; ')}; 0 violations`;
});

function inWords({ actions, calls, kills, restarts }: SimulationFigures): string {
  const text = (count: number) => count.toLocaleString('en-US');
  return `${text(actions)} actions, ${text(calls)} calls, ${text(kills)} kills, ${text(restarts)} restarts`;
}
