/** Every route of the management API with its handler, in one table. */
import type { contract } from '../contract/index.ts';
import type { Declared } from '../contract/route.ts';
import { contractRoutes } from '../contract/schemas.ts';
import { type AccountServices, accountHandlers } from './accounts/accounts.ts';
import { type ProjectServices, projectHandlers } from './accounts/projects.ts';
import { type AliasServices, aliasHandlers } from './aliases/aliases.ts';
import { type BatchServices, batchHandlers } from './batches/batches.ts';
import { type ByokServices, byokHandlers } from './byok/byok.ts';
import type { Handler, Handlers } from './door/handler.ts';
import { type CredentialServices, credentialHandlers } from './installation/credentials.ts';
import { type InstallationServices, installationHandlers } from './installation/installation.ts';
import { type LedgerServices, ledgerHandlers } from './installation/ledger.ts';
import { type LoadServices, loadHandlers } from './installation/load.ts';
import { type ModelServices, modelHandlers } from './installation/models.ts';
import { type NodeServices, nodeHandlers } from './installation/nodes.ts';
import { type RecordServices, recordHandlers } from './installation/records.ts';
import type { KeyServices } from './keys/key-services.ts';
import { keyHandlers } from './keys/keys.ts';
import { type RoutePlanServices, routePlanHandlers } from './keys/route-plans.ts';
import { type BalanceServices, balanceHandlers } from './money/balance.ts';
import { type MemberServices, memberHandlers } from './people/members.ts';
import { type PeopleServices, peopleHandlers } from './people/people.ts';
import { type ProfileServices, profileHandlers } from './people/profile.ts';
import { type SignInRouteServices, signInHandlers } from './people/sign-in.ts';
import { type HealthServices, healthHandlers } from './providers/health.ts';
import { type ModelPriceServices, modelPriceHandlers } from './providers/model-prices.ts';
import { type ProviderServices, providerHandlers } from './providers/providers.ts';
import { type AuditServices, auditHandlers } from './reports/audit.ts';
import { type CallServices, callHandlers } from './reports/calls.ts';
import { type UsageServices, usageHandlers } from './reports/usage.ts';

/** By noun of the contract. */
export type ManagementHandlers = { readonly [Noun in keyof typeof contract]: Handlers<(typeof contract)[Noun]> };

/** What the handlers of each noun work with. */
export interface ManagementServices {
  readonly sign_in: SignInRouteServices;
  readonly profile: ProfileServices;
  readonly accounts: AccountServices;
  readonly people: PeopleServices;
  readonly members: MemberServices;
  readonly projects: ProjectServices;
  readonly aliases: AliasServices;
  readonly keys: KeyServices;
  readonly route_plans: RoutePlanServices;
  readonly balance: BalanceServices;
  readonly usage: UsageServices;
  readonly calls: CallServices;
  readonly batches: BatchServices;
  readonly providers: ProviderServices;
  readonly byok: ByokServices;
  readonly health: HealthServices;
  readonly load: LoadServices;
  readonly nodes: NodeServices;
  readonly audit: AuditServices;
  readonly ledger: LedgerServices;
  readonly records: RecordServices;
  readonly models: ModelServices;
  readonly model_prices: ModelPriceServices;
  readonly credentials: CredentialServices;
  readonly installation: InstallationServices;
}

export function managementHandlers(services: ManagementServices): ManagementHandlers {
  return {
    sign_in: signInHandlers(services.sign_in),
    profile: profileHandlers(services.profile),
    accounts: accountHandlers(services.accounts),
    people: peopleHandlers(services.people),
    members: memberHandlers(services.members),
    projects: projectHandlers(services.projects),
    aliases: aliasHandlers(services.aliases),
    keys: keyHandlers(services.keys),
    route_plans: routePlanHandlers(services.route_plans),
    balance: balanceHandlers(services.balance),
    usage: usageHandlers(services.usage),
    calls: callHandlers(services.calls),
    batches: batchHandlers(services.batches),
    providers: providerHandlers(services.providers),
    byok: byokHandlers(services.byok),
    health: healthHandlers(services.health),
    load: loadHandlers(services.load),
    nodes: nodeHandlers(services.nodes),
    audit: auditHandlers(services.audit),
    ledger: ledgerHandlers(services.ledger),
    records: recordHandlers(services.records),
    models: modelHandlers(services.models),
    model_prices: modelPriceHandlers(services.model_prices),
    credentials: credentialHandlers(services.credentials),
    installation: installationHandlers(services.installation),
  };
}

export interface ManagedRoute {
  /** `listKeys`. */
  readonly name: string;
  readonly route: Declared;
  readonly handle: Handler<Declared>;
}

/** In the order of the contract. */
export function managedRoutes(handlers: ManagementHandlers): readonly ManagedRoute[] {
  return contractRoutes.map(({ noun, name, route }) => {
    const ofNoun = handlers[noun as keyof ManagementHandlers] as unknown as Readonly<Record<string, Handler<Declared>>>;
    const handle = ofNoun[name];
    if (handle === undefined) throw new Error(`the route ${name} has no handler`);
    return { name, route, handle };
  });
}
