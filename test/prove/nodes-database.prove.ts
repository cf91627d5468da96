/** The database hangs, then refuses, for `TURNPIKE_PROVE_OUTAGE_SECONDS` each under load: calls of known keys go on. */
import { databaseDown } from './support/nodes/database-down.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-database', async () => {
  const seconds = countFrom('TURNPIKE_PROVE_OUTAGE_SECONDS', 60);
  const hung = await databaseDown({ seconds, outage: 'hangs' });
  return `${hung}; ${await databaseDown({ seconds, outage: 'refuses' })}`;
});
