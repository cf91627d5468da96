/** `TURNPIKE_PROVE_REVOCATIONS` revocations at four nodes, with notifications and without: p99 within a second. */
import { revokeNodes } from './support/nodes/revoke-nodes.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-revocation', async (seed) => {
  const trials = countFrom('TURNPIKE_PROVE_REVOCATIONS', 200);
  const heard = await revokeNodes({ trials, notified: true, seed });
  return `${heard}; ${await revokeNodes({ trials, notified: false, seed })}`;
});
