/** The primary is killed under load on two nodes, and a standby takes its place: one that lagged by ten seconds, and a synchronous one. */
import { installedMajors } from '../support/postgres/installations.ts';
import { failOver } from './support/nodes/failover.ts';
import { prove } from './support/prove.ts';

await prove('nodes-failover', async () => {
  if (!installedMajors().includes(15)) return 'skipped: PostgreSQL 15 is not installed (Debian: postgresql-15)';
  const lagging = await failOver('lagging');
  return `${lagging}; ${await failOver('synchronous')}`;
});
