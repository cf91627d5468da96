/** The control plane's services for tests: real keys and a real bank over stores in memory, two models, two providers, fixed records. */
import assert from 'node:assert/strict';
import { KeyRegistry } from '../../src/accounts/key-registry.ts';
import { openMirror } from '../../src/accounts/open-mirror.ts';
import { ScopeRegistry } from '../../src/accounts/scope-registry.ts';
import { Pepper } from '../../src/accounts/secret/pepper.ts';
import { LedgerBank } from '../../src/billing/ledger-bank.ts';
import type { CheckReport, LedgerMaintenance, VerifyReport } from '../../src/billing/maintenance-ports.ts';
import { MemoryLedger } from '../../src/billing/memory-ledger.ts';
import type { ListedProvider } from '../../src/catalog/listed-provider.ts';
import type { Model, Prices } from '../../src/catalog/model.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { accountId, keyId, newCallId, projectId } from '../../src/core/ids.ts';
import { nanoUsd, picoUsd } from '../../src/core/money.ts';
import { LIST_RATE } from '../../src/core/rates/rate.ts';
import { Secret } from '../../src/core/secret.ts';
import { NO_USAGE } from '../../src/core/usage.ts';
import type { SealReport } from '../../src/credentials/key-keeper.ts';
import type { NewAuditEntry } from '../../src/members/ports.ts';
import { configureProvider } from '../../src/providers/configure.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { custom } from '../../src/providers/vendors/servers/custom.ts';
import type { CallRecord } from '../../src/stats/record.ts';
import { openAccountsInMemory } from '../../src/storage/sqlite/engine/kysely-under-test.ts';
import type { HealthFigures } from '../../src/telemetry/call-health.ts';
import type { HealthState } from '../../src/telemetry/health-state.ts';
import type { ControlParts } from './control-plane.ts';

export const CREDENTIAL = 'sk-canary-0123456789';

export interface Fixture {
  readonly services: ControlParts;
  readonly clock: ManualClock;
  readonly scopes: ScopeRegistry;
  readonly records: CallRecord[];
  readonly ledger: MemoryLedger;
  readonly maintenance: MaintenanceStandIn;
  /** The entries written to the audit log. */
  readonly auditEntries: NewAuditEntry[];
}

/** Returns fixed reports, and remembers the questions. */
export interface MaintenanceStandIn extends LedgerMaintenance {
  report: VerifyReport;
  checked: CheckReport;
  readonly asked: unknown[];
  readonly archivedReferences: Set<string>;
}

/** One account and its projects `Default` and `staging`. */
export async function openFixture(): Promise<Fixture> {
  const clock = new ManualClock(Date.UTC(2026, 11, 1));
  const records: CallRecord[] = [];
  const { store, transactions, feed } = await openAccountsInMemory(clock);
  const account = await store.createAccount({ name: 'Default', createdAt: 0 });
  for (const name of ['Default', 'staging']) await store.createProject({ accountId: account.id, name, createdAt: 0 });
  const pepper = new Pepper(new Secret('5a'.repeat(32)));
  const mirror = await openMirror({ store, feed }, pepper, clock.now());
  const providers = new Map(
    ['mine', 'broken'].map((name) => {
      const credential = new Secret(CREDENTIAL);
      return [name, configureProvider(custom, { name, origin: `http://${name}.internal`, credential })];
    }),
  );
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const ledger = new MemoryLedger(clock.now());
  // An entry's audit record is part of its transaction.
  const post = ledger.post.bind(ledger);
  ledger.post = (entry, rules, note) => transactions.run(() => post(entry, rules, note));
  const loaded = await ledger.load();
  const bank = new LedgerBank({ store: ledger, loaded, mode: 'prepaid', clock, isWritable: () => true });
  const maintenance = openMaintenanceStandIn();
  ledger.sealedThrough = async () => maintenance.checked.sealedThrough;
  const auditEntries: Fixture['auditEntries'] = [];
  const keys = new KeyRegistry({ store, transactions, mirror, pepper, clock });
  const services: ControlParts = {
    version: '1.2.3',
    clock,
    keys,
    scopes,
    transactions,
    mirror: mirror.scopes,
    operations: ['chat', 'count_tokens'],
    bank,
    ledger,
    maintenance,
    catalog: { all: () => [model('acme/large', prices(3_000_000n, 15_000_000n)), model('acme/small', null)] },
    providers,
    providerRegistry: {
      list: () => [...providers.values()].map(listed),
      callable: (name) => providers.get(name) ?? assert.fail('only listed ones are tested'),
    },
    keyKeeper: {
      check: async () => SEAL_REPORT,
      rotate: async (note) => {
        await transactions.run(async () => note?.(SEAL_REPORT));
        return SEAL_REPORT;
      },
    },
    records: {
      tail: async ({ after, limit }) =>
        after === null
          ? records.slice(-limit)
          : records.slice(records.findIndex((record) => record.callId === after) + 1).slice(0, limit),
      since: (sequence) => ({ records: records.slice(sequence), sequence: records.length }),
      follow: () => records.length,
    },
    healthOf: () => null,
    brokenAuditAt: null,
    adminReset: async (email) => ({
      email: email ?? 'root@example.com',
      url: 'http://x/#t=secret',
      expiresAt: Date.UTC(2026, 11, 2),
    }),
    proxyOf: () => null,
    testConnection: async ({ name, origin }) => ({
      provider: name,
      origin,
      ok: name === 'mine',
      status: name === 'mine' ? 200 : 401,
      models: name === 'mine' ? 2 : null,
      durationMs: 12.4,
      modelNames: name === 'mine' ? ['large', 'small'] : [],
      problem: name === 'mine' ? null : 'The provider rejected the credential; check it.',
      credentials: [],
    }),
    audit: async (entry) => void auditEntries.push(entry),
    status: () => ({
      reasons: [],
      unreadableRows: [],
      node: null,
      configSource: null,
      address: 'http://127.0.0.1:8080',
      inFlight: 0,
      load: { admittedPart: 1, shortage: null, loopDelayMs: 0, memoryUse: 0.1, shed: new Map(), inFlightMax: 12_000 },
      connections: { open: 0, max: 20_000, descriptorsMax: 65_536 },
      memory: { used: 3 << 20, bytesMax: 1 << 30 },
    }),
  };
  return { services, clock, scopes, records, ledger, maintenance, auditEntries };
}

/** Health in this state, after seven failures of eight calls. */
export function troubled(state: HealthState): HealthFigures {
  return {
    state,
    since: 0,
    lastGoodAt: null,
    lastFailure: {
      at: 0,
      reason: { code: 'bad_gateway', status: 500, connectionError: null, neverAsked: false },
    },
    recent: { good: 1, failed: 7, limited: 0 },
    failedInARow: 6,
    firstByteP50Ms: 12.5,
    firstByteP95Ms: 20,
    pace: null,
  };
}

function listed({ name, kind, displayName, origin, dialects }: Provider): ListedProvider {
  return {
    ...{ name, kind, displayName, origin, dialects, options: {} },
    callsTo: [`${origin}/v1/chat/completions`],
    source: 'file',
    isEnabled: true,
    isShadowed: false,
    problem: null,
    hasCredential: false,
    isOwnOnly: false,
    credentialHint: null,
    credentials: [],
    createdAt: null,
    models: name === 'mine' ? 2 : 0,
    settings: [],
  };
}

const SEAL_REPORT: SealReport = {
  activeKey: '0123456789abcdef',
  olderKeys: 1,
  sealed: 2,
  underActiveKey: 1,
  unopened: ['provider:lost'],
};

function openMaintenanceStandIn(): MaintenanceStandIn {
  const counts = { accounts: 1, settlements: 2, entries: 3, holds: 0, records: 2, missingRecords: 0, archives: 0 };
  const asked: unknown[] = [];
  const archivedReferences = new Set<string>();
  return {
    report: { violations: [], violationCount: 0, ...counts },
    checked: { violations: [], accounts: 1, holds: 0, ballast: true, backupAt: null, sealedThrough: null },
    asked,
    archivedReferences,
    async verify(options) {
      asked.push(options);
      return this.report;
    },
    async check() {
      return this.checked;
    },
    async seal(month) {
      asked.push(month);
      return { month, accounts: 1, settlements: 2, entries: 3, archive: '/data/archive/x.db', wasSealed: false };
    },
    async transfers(query) {
      asked.push(query);
      const transfer = {
        time: '2026-12-01T00:00:00.000Z',
        debit: 'topup',
        credit: 'available',
        amount: '5.000000001',
        call: null,
        reference: 'say "hi", twice',
        account: 1,
      };
      return { transfers: [transfer], cursor: query.cursor === null ? 'next' : null };
    },
    async backup({ folder, secrets }) {
      asked.push({ folder, secrets });
      return { folder, files: 4, bytes: 1000, secrets };
    },
    async isArchivedReference(_account, reference) {
      return archivedReferences.has(reference);
    },
    async adopt() {
      return { nodes: 2, returned: nanoUsd(1_500_000_000n) };
    },
  };
}

/** A call that cost `costNano`. */
export function record(admittedAt: number, costNano: bigint): CallRecord {
  return {
    asked: null,
    callId: newCallId(admittedAt),
    admittedAt,
    accountId: accountId(1),
    projectId: projectId(1),
    keyId: keyId(1),
    operation: 'chat',
    model: 'acme/large',
    provider: 'mine',
    usage: { ...NO_USAGE, inputTokens: 10, cacheReadTokens: 5, outputTokens: 7 },
    usageSource: 'reported',
    priceVersion: null,
    rate: LIST_RATE,
    ownCredential: false,
    cost: nanoUsd(costNano),
    hold: null,
    charge: nanoUsd(costNano),
    fault: nanoUsd(0n),
    variance: nanoUsd(0n),
    nodeLoss: nanoUsd(0n),
    saved: nanoUsd(0n),
    ending: 'complete',
    dialect: 'openai-chat',
    upstreamDialect: 'openai-chat',
    upstreamId: 'chatcmpl-1',
    streamed: false,
    status: 200,
    errorCode: null,
    finishReason: 'stop',
    attempts: [
      {
        provider: 'mine',
        upstreamModel: 'large',
        status: 200,
        error: null,
        reason: 'first',
        startMs: 0,
        durationMs: 20,
      },
    ],
    warnings: [],
    firstByteMs: 11,
    durationMs: 20,
    requestBytes: 100,
    labels: null,
    responseBytes: 200,
  };
}

function model(id: string, modelPrices: Prices | null): Model {
  return {
    id,
    name: id,
    description: '',
    created: 0,
    contextWindow: 1000,
    outputCap: null,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: [],
    efforts: null,
    quirks: {},
    knowledgeCutoff: null,
    targets: [
      {
        provider: 'mine',
        upstreamModel: id,
        dialects: ['openai-chat'],
        contextWindow: 1000,
        outputCap: null,
        prices: modelPrices,
        priceVersion: null,
      },
    ],
  };
}

function prices(input: bigint, output: bigint): Prices {
  return {
    input: picoUsd(input),
    output: picoUsd(output),
    cacheRead: null,
    cacheWrite: null,
    cacheWrite1h: null,
    inputAudio: null,
    outputAudio: null,
    cacheReadAudio: null,
    inputImage: null,
    outputImage: null,
    reasoning: null,
    image: null,
    request: null,
    webSearch: null,
    fileSearch: null,
    codeInterpreter: null,
    units: [],
    tiers: [],
  };
}
