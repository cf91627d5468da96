/**
 * `TURNPIKE_PROVE_SEQUENCES` random sequences of requests to the model of the bank and to PostgreSQL, paid in advance and afterwards: every answer
 * and every table is the same after each request, and the tables agree with each other.
 */
import { compareBanks } from '../support/bank-model/compare-banks.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('bank-model', async (seed) => {
  const sequences = countFrom('TURNPIKE_PROVE_SEQUENCES', 500);
  const [server] = serverNames;
  if (server === undefined) throw new Error('No PostgreSQL is here.');
  const seen = new Map<string, number>();
  let requests = 0;
  for (const mode of ['prepaid', 'postpaid'] as const) {
    const compared = await compareBanks({ server, mode, seed, sequences });
    requests += compared.requests;
    for (const [what, count] of compared.seen) seen.set(what, (seen.get(what) ?? 0) + count);
  }
  const cases = [...seen].map(([what, count]) => `${count} × ${what}`);
  return `${requests} requests in ${2 * sequences} sequences of three nodes: ${cases.join(', ')}; 0 differences`;
});
