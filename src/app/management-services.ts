/** What the handlers of the management API work with, noun by noun. */
import type { Closing, NoteClosing } from '../accounts/close-account.ts';
import type { KeyRegistry } from '../accounts/key-registry.ts';
import type { ScopeRegistry } from '../accounts/scope-registry.ts';
import type { ManagementServices } from '../api/management/index.ts';
import type { AdminReset, ServerStatus } from '../api/management/installation/installation.ts';
import type { GatewayLoad } from '../api/management/installation/load.ts';
import type { SharedNodes } from '../api/management/installation/nodes.ts';
import { invitationsBy } from '../api/management/people/made-invitations.ts';
import type { OwnCredentialRegistry } from '../byok/own-credential-registry.ts';
import type { CaptureRecorder } from '../capture/capture-recorder.ts';
import type { AliasRegistry } from '../catalog/alias-registry.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config } from '../config/config.ts';
import { type AccountId, type CallId, callIdTime, keyId } from '../core/ids.ts';
import type { SharedSealer } from '../core/sealing/sealer.ts';
import { VERSION } from '../core/version.ts';
import type { KeyKeeper } from '../credentials/key-keeper.ts';
import { planForKey } from '../gateway/planned/plan-for-key.ts';
import type { Mailer } from '../members/mails.ts';
import type { UserId } from '../members/ports.ts';
import { operationPermissions } from '../operations/index.ts';
import type { TestConnection } from '../probe/test-connection.ts';
import type { Outside } from '../providers/outside.ts';
import { LiveCalls } from '../stats/live-calls.ts';
import type { StatsReader } from '../stats/ports.ts';
import type { Recorder } from '../stats/recorder.ts';
import type { Refusals } from '../stats/refusals.ts';
import type { Storage } from '../storage/storage.ts';
import type { Gateway } from './build-gateway.ts';
import { firstSteps } from './first-steps.ts';
import type { OpenMembers } from './open-members.ts';

export interface ManagementParts {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly storage: Storage;
  readonly keys: KeyRegistry;
  readonly scopes: ScopeRegistry;
  readonly providers: ProviderRegistry;
  readonly own: OwnCredentialRegistry;
  readonly aliases: AliasRegistry;
  readonly records: Recorder;
  readonly refusals: Refusals;
  /** Includes calls that have just ended. */
  readonly stats: StatsReader;
  readonly captures: CaptureRecorder;
  readonly sealer: SharedSealer;
  readonly mailer: Mailer | null;
  readonly testConnection: TestConnection;
  readonly outside: Outside;
  readonly keyKeeper: Pick<KeyKeeper, 'check' | 'rotate'>;
  /** The address of the proxy for an origin, without its password; null for a direct connection. */
  proxyOf(origin: string): string | null;
  /** Called when a batch is to be cancelled. */
  onBatchChange(): void;
  status(): ServerStatus;
  load(): GatewayLoad;
}

/** Changes that involve several parts. */
export interface WholeChanges {
  closeAccount(id: AccountId, note: NoteClosing): Promise<Closing | null>;
  adminReset(email: string | null): Promise<AdminReset>;
}

export function managementServices(
  parts: ManagementParts,
  { signInServices, members, people }: OpenMembers,
  { closeAccount, adminReset }: WholeChanges,
): ManagementServices {
  const { config, gateway, storage, keys, scopes, providers, aliases, captures, stats } = parts;
  const { clock, bank, health, breakers } = gateway;
  const { users, memberships, maintenance, prices, ledger } = storage;
  const operations = operationPermissions;
  const node = storage.nodes?.identity.name ?? null;
  const names = { keys, scopes: gateway.scopes };
  return {
    sign_in: {
      signInServices,
      users,
      memberships,
      scopes,
      installation: {
        version: VERSION,
        signUp: config.dashboard.signUp,
        publicModels: config.dashboard.publicModels,
        mail: signInServices.mailer !== null,
        billingMode: config.billing.mode,
        baseUrl: gateway.publicUrl,
      },
    },
    profile: { signInServices, users },
    accounts: {
      scopes,
      keys,
      bank,
      memberships,
      captures,
      clock,
      operations,
      modelIdOf: (name) => providers.current.catalog.get(name)?.id ?? null,
      close: closeAccount,
    },
    people: { ...names, people },
    members: {
      members,
      keys,
      clock,
      invitationUrl: (token) => signInServices.links.addressOf('invitation', token),
      mailInvitation: (mail) => signInServices.mailInvitation(mail),
    },
    projects: { scopes, keys, bank, clock, operations },
    aliases: {
      aliases,
      scopes,
      get catalog() {
        return providers.current.catalog;
      },
    },
    keys: {
      ...names,
      bank,
      limiter: gateway.limiter,
      clock,
      operations,
      nameOf: (actor) => nameOf(parts, actor),
      invitationsBy: (account, makers) => invitationsBy(members, account, makers),
    },
    route_plans: { keys, plan: (key, asked) => planForKey(gateway, key, asked) },
    balance: { ...names, bank, ledger, maintenance, clock, stats },
    usage: { ...names, stats, clock, firstSteps: firstSteps({ clock, ...names, providers, storage }) },
    calls: {
      ...names,
      stats,
      live: new LiveCalls({ recorder: parts.records, clock }),
      refusals: parts.refusals,
      startedAt: clock.now(),
      prices,
      ledger,
      captures,
      nodeOf: nodeOf(storage),
    },
    batches: { ...names, scopes: gateway.scopes, batches: storage.batches, clock, onChange: parts.onBatchChange },
    providers: {
      registry: providers,
      testConnection: parts.testConnection,
      outside: parts.outside,
      proxyOf: parts.proxyOf,
      health,
      breakers,
      paidInAdvance: gateway.paidInAdvance,
      rates: gateway.rates,
      stats,
      clock,
    },
    byok: { own: parts.own, scopes: gateway.scopes, testConnection: parts.testConnection },
    health: { registry: providers, health, breakers, stats, clock, node },
    load: { load: parts.load, node },
    nodes: { nodes: sharedNodes(storage) },
    audit: { audit: storage.audit },
    ledger: { maintenance },
    records: { records: parts.records },
    models: {
      get catalog() {
        return providers.current.catalog;
      },
      bank,
    },
    model_prices: { registry: providers, prices, clock },
    credentials: { keyKeeper: parts.keyKeeper },
    installation: { version: VERSION, clock, maintenance, status: parts.status, adminReset },
  };
}

/** The name of `user:<id>`, `key:<id>` or `operator`; null if it no longer exists. */
async function nameOf({ storage, keys }: ManagementParts, actor: string): Promise<string | null> {
  const [kind, id] = actor.split(':', 2);
  if (kind === 'operator') return 'Operator';
  if (kind === 'user') return (await storage.users.user(Number(id) as UserId))?.name ?? null;
  if (kind === 'key') return keys.get(keyId(Number(id)))?.name ?? null;
  return null;
}

/** By name, unless another node may have had the slot when the call was admitted: an epoch is the time of a registration, at least. */
function nodeOf({ shared, nodes }: Pick<Storage, 'shared' | 'nodes'>): (call: CallId) => Promise<string | null> {
  if (shared === null || nodes === null) return async () => null;
  return async (call) => {
    const slot = await shared.records.slotOf(call);
    if (slot === null) return null;
    const known = (await nodes.bank.nodes()).find((node) => node.slot === slot);
    return known !== undefined && known.epoch <= callIdTime(call) ? known.name : `slot ${slot}`;
  };
}

function sharedNodes({ nodes, visitor, feed }: Pick<Storage, 'nodes' | 'visitor' | 'feed'>): SharedNodes | null {
  const bank = nodes?.bank ?? visitor;
  if (bank === null) return null;
  return {
    // A node that lost its place has another one.
    get slot() {
      return nodes?.place.slot ?? null;
    },
    list: () => bank.nodes(),
    lastChange: () => feed.last(),
    setAside: nodes?.setAside ?? null,
  };
}
