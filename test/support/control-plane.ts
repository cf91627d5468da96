/**
 * The control plane over the services of `fixture.ts`, for tests: the handlers of all routes that commands use, over data in memory.
 * A route of the contract that needs a database throws, unless a test passes its own handler.
 */
import type { FastifyInstance } from 'fastify';
import { closeAccount } from '../../src/accounts/close-account.ts';
import type { KeyRegistry } from '../../src/accounts/key-registry.ts';
import type { ScopeMirror } from '../../src/accounts/scope-mirror.ts';
import type { ScopeRegistry } from '../../src/accounts/scope-registry.ts';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { buildControl } from '../../src/api/control-plane.ts';
import { accountHandlers } from '../../src/api/management/accounts/accounts.ts';
import { projectHandlers } from '../../src/api/management/accounts/projects.ts';
import { type BatchServices, batchHandlers } from '../../src/api/management/batches/batches.ts';
import type { Management } from '../../src/api/management/door/parts.ts';
import type { ManagementHandlers } from '../../src/api/management/index.ts';
import { credentialHandlers } from '../../src/api/management/installation/credentials.ts';
import { type InstallationServices, installationHandlers } from '../../src/api/management/installation/installation.ts';
import { ledgerHandlers } from '../../src/api/management/installation/ledger.ts';
import { modelHandlers } from '../../src/api/management/installation/models.ts';
import { nodeHandlers } from '../../src/api/management/installation/nodes.ts';
import { recordHandlers } from '../../src/api/management/installation/records.ts';
import { keyHandlers } from '../../src/api/management/keys/keys.ts';
import { type BalanceServices, balanceHandlers } from '../../src/api/management/money/balance.ts';
import { type ProviderServices, providerHandlers } from '../../src/api/management/providers/providers.ts';
import { auditHandlers } from '../../src/api/management/reports/audit.ts';
import type { Bank } from '../../src/billing/bank.ts';
import type { LedgerMaintenance } from '../../src/billing/maintenance-ports.ts';
import type { LedgerStore } from '../../src/billing/ports.ts';
import { LIST_RATES, RateBook } from '../../src/billing/rates.ts';
import type { Catalog } from '../../src/catalog/model.ts';
import type { ProviderRegistry } from '../../src/catalog/provider-registry.ts';
import type { Clock } from '../../src/core/clock.ts';
import { NO_MONEY } from '../../src/core/money.ts';
import type { Transactions } from '../../src/core/transactions.ts';
import type { KeyKeeper } from '../../src/credentials/key-keeper.ts';
import type { NewAuditEntry } from '../../src/members/ports.ts';
import type { TestConnection } from '../../src/probe/test-connection.ts';
import { NOWHERE } from '../../src/providers/outside.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { Breakers } from '../../src/routing/breaker/breakers.ts';
import type { Recorder } from '../../src/stats/recorder.ts';
import type { HealthFigures } from '../../src/telemetry/call-health.ts';

export interface ControlParts {
  readonly version: string;
  readonly clock: Clock;
  readonly keys: KeyRegistry;
  readonly scopes: ScopeRegistry;
  readonly transactions: Transactions;
  readonly mirror: ScopeMirror;
  /** The names of what routes do, for permissions: `chat`. */
  readonly operations: readonly string[];
  readonly bank: Bank;
  readonly ledger: LedgerStore;
  readonly maintenance: LedgerMaintenance;
  readonly catalog: Pick<Catalog, 'all'>;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly providerRegistry: Pick<ProviderRegistry, 'list' | 'callable'>;
  /** None without it. */
  readonly batches?: BatchServices['batches'];
  readonly keyKeeper: Pick<KeyKeeper, 'check' | 'rotate'>;
  readonly records: Pick<Recorder, 'tail' | 'since' | 'follow'>;
  /** How calls to a provider of this name have gone; null if it is not called. */
  healthOf(provider: string): HealthFigures | null;
  proxyOf(origin: string): string | null;
  readonly testConnection: TestConnection;
  /** Writes the audit log. */
  audit(entry: NewAuditEntry): Promise<void>;
  /** The entry that the audit log is broken at. */
  readonly brokenAuditAt: number | null;
  status: InstallationServices['status'];
  adminReset: InstallationServices['adminReset'];
}

const NO_BATCHES: BatchServices['batches'] = {
  search: async () => [],
  read: async () => null,
  cancel: async () => null,
};

/** By the names of the contract. */
export type OwnHandlers = Readonly<Record<string, (context: never, input: never) => unknown>>;

export function controlOf(parts: ControlParts, own: OwnHandlers = {}): FastifyInstance {
  return buildControl(managementOf(parts, own));
}

function managementOf(parts: ControlParts, own: OwnHandlers): Management {
  return {
    clock: parts.clock,
    handlers: handlersOf(parts, own),
    accounts: parts.mirror,
    memberships: { membershipsOf: async () => [] },
    auditLog: { append: parts.audit },
    transactions: parts.transactions,
    isStorageTrouble: () => false,
    edge: { noteError: () => undefined },
  } as unknown as Management;
}

function handlersOf(parts: ControlParts, own: OwnHandlers): ManagementHandlers {
  const { version, clock, keys, scopes, transactions, mirror, operations, bank, ledger, maintenance, catalog } = parts;
  const made: Record<string, object> = {
    accounts: accountHandlers({
      scopes,
      keys,
      bank,
      memberships: { memberCounts: async () => new Map() },
      captures: { settingsChanged: async () => undefined, deleteAllOf: async () => 0 },
      clock,
      operations,
      modelIdOf: (name) => catalog.all().find(({ id }) => id === name)?.id ?? null,
      close: (id, note) => closeAccount({ transactions, scopes, keys, voidInvitations: async () => 0 }, id, note),
    }),
    projects: projectHandlers({ scopes, keys, bank, clock, operations }),
    keys: keyHandlers({
      keys,
      scopes: mirror,
      bank,
      limiter: { readings: () => [] },
      clock,
      operations,
      nameOf: async () => null,
      invitationsBy: async () => [],
    }),
    balance: balanceHandlers({ keys, scopes: mirror, bank, ledger, maintenance, clock, stats: statsOver(ledger) }),
    batches: batchHandlers({
      batches: parts.batches ?? NO_BATCHES,
      keys,
      scopes: mirror,
      clock,
      onChange: () => undefined,
    }),
    providers: providerHandlers(providerServices(parts)),
    audit: auditHandlers({ audit: { list: async () => [], verify: async () => parts.brokenAuditAt } }),
    ledger: ledgerHandlers({ maintenance }),
    nodes: nodeHandlers({ nodes: null }),
    records: recordHandlers({ records: parts.records }),
    models: modelHandlers({ catalog, bank }),
    credentials: credentialHandlers({ keyKeeper: parts.keyKeeper }),
    installation: installationHandlers({
      version,
      clock,
      maintenance,
      status: parts.status,
      adminReset: parts.adminReset,
    }),
  };
  const handlers: Record<string, Record<string, unknown>> = {};
  for (const { noun, name } of contractRoutes) {
    handlers[noun] ??= { ...made[noun] };
    if (own[name] !== undefined) handlers[noun][name] = own[name];
    handlers[noun][name] ??= () => {
      throw new Error(`there is no ${name} here`);
    };
  }
  return handlers as unknown as ManagementHandlers;
}

function providerServices(parts: ControlParts): ProviderServices {
  const { catalog, providers, providerRegistry, testConnection, proxyOf, clock } = parts;
  const nobody = () => Promise.reject(new Error('there are no stored providers here'));
  const health: ProviderServices['health'] = {
    of: (subject) => parts.healthOf((subject as Provider).name),
    modelsOf: () => [],
    ofModel: () => null,
    pace: () => null,
    wallTime: (at) => at,
  };
  return {
    registry: {
      current: { catalog, providers } as ProviderServices['registry']['current'],
      ...providerRegistry,
      ...{ create: nobody, update: nobody, delete: nobody, addCredential: nobody, removeCredential: nobody },
    },
    testConnection,
    health,
    breakers: new Breakers(clock, () => undefined),
    proxyOf,
    paidInAdvance: true,
    rates: new RateBook(LIST_RATES),
    stats: null,
    clock,
    outside: NOWHERE,
  };
}

/** Entries as the ledger has them; nothing was charged. */
function statsOver(ledger: LedgerStore): BalanceServices['stats'] {
  const nothing = () => {
    throw new Error('there are no reports here');
  };
  return {
    movements: async ({ accountId, before, limit }) => {
      const entries = await ledger.entries(accountId, { before: before?.entry ?? null, limit });
      const movements = entries.map(({ id, ...entry }) => ({ ...entry, entryId: id, model: null, keyId: null }));
      const last = movements.at(-1);
      const next = movements.length < limit || last === undefined ? null : { call: null, entry: last.entryId };
      return { movements, next, searchedToMs: null };
    },
    usage: async () => ({ totals: { charge: NO_MONEY } }) as Awaited<ReturnType<BalanceServices['stats']['usage']>>,
    call: async () => null,
    months: nothing,
    allMovements: nothing,
  };
}
