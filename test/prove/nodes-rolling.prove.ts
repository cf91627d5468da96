/**
 * Four nodes behind nginx are restarted one by one under load: no call fails. Then the same from the version with the schema before to this
 * one, which serve side by side meanwhile; `TURNPIKE_PROVE_BEFORE` names the folder of another earlier version, with its packages.
 */
import { rolling } from './support/nodes/rolling.ts';
import { versionBefore } from './support/nodes/version-before.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-rolling', async () => {
  const rounds = countFrom('TURNPIKE_PROVE_ROLLING_ROUNDS', 2);
  const same = rounds === 0 ? 'one version: skipped' : await rolling({ rounds, before: null });
  const before = versionBefore(process.env['TURNPIKE_PROVE_BEFORE']);
  if (typeof before === 'string') return `${same}; ${before}`;
  try {
    return `${same}; ${await rolling({ rounds: 1, before })}`;
  } finally {
    before.remove();
  }
});
