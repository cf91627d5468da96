/** Every route of the management API. */
import { accountRoutes } from './accounts.ts';
import { aliasRoutes } from './aliases.ts';
import { auditRoutes } from './audit.ts';
import { balanceRoutes } from './balance.ts';
import { batchRoutes } from './batches.ts';
import { byokRoutes } from './byok.ts';
import { callRoutes } from './calls.ts';
import { credentialRoutes } from './credentials.ts';
import { healthRoutes } from './health.ts';
import { installationRoutes } from './installation.ts';
import { keyRoutes } from './keys.ts';
import { ledgerRoutes } from './ledger.ts';
import { loadRoutes } from './load.ts';
import { memberRoutes } from './members.ts';
import { modelPriceRoutes } from './model-prices.ts';
import { modelRoutes } from './models.ts';
import { nodeRoutes } from './nodes.ts';
import { peopleRoutes } from './people.ts';
import { profileRoutes } from './profile.ts';
import { projectRoutes } from './projects.ts';
import { providerRoutes } from './providers.ts';
import { recordRoutes } from './records.ts';
import { routePlanRoutes } from './route-plans.ts';
import { signInRoutes } from './sign-in.ts';
import { usageRoutes } from './usage.ts';

export const contract = {
  sign_in: signInRoutes,
  profile: profileRoutes,
  accounts: accountRoutes,
  people: peopleRoutes,
  members: memberRoutes,
  projects: projectRoutes,
  aliases: aliasRoutes,
  keys: keyRoutes,
  route_plans: routePlanRoutes,
  balance: balanceRoutes,
  usage: usageRoutes,
  calls: callRoutes,
  batches: batchRoutes,
  providers: providerRoutes,
  byok: byokRoutes,
  health: healthRoutes,
  load: loadRoutes,
  nodes: nodeRoutes,
  audit: auditRoutes,
  ledger: ledgerRoutes,
  records: recordRoutes,
  models: modelRoutes,
  model_prices: modelPriceRoutes,
  credentials: credentialRoutes,
  installation: installationRoutes,
};
