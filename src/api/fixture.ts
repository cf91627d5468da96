/** The control plane's services for tests: real keys over a store in memory, two models, two providers, given records. */
import { KeyBook } from '../accounts/key-book.ts';
import { KeyMirror } from '../accounts/key-mirror.ts';
import { Pepper } from '../accounts/pepper.ts';
import type { AccountStore, Key, Project } from '../accounts/ports.ts';
import type { Model, Prices } from '../catalog/model.ts';
import { Bus } from '../core/bus.ts';
import { ManualClock } from '../core/clock.ts';
import { accountId, keyId, newCallId, projectId } from '../core/ids.ts';
import { nanoUsd, picoUsd } from '../core/money.ts';
import { Secret } from '../core/secret.ts';
import { NO_USAGE } from '../core/usage.ts';
import { configureProvider } from '../providers/configure.ts';
import { custom } from '../providers/custom.ts';
import type { CallRecord } from '../stats/record.ts';
import type { ControlServices } from './services.ts';

export const CREDENTIAL = 'sk-canary-0123456789';

export interface Fixture {
  readonly services: ControlServices;
  readonly clock: ManualClock;
  readonly projects: Project[];
  readonly records: CallRecord[];
}

export async function openFixture(): Promise<Fixture> {
  const clock = new ManualClock(Date.UTC(2026, 11, 1));
  const projects: Project[] = [project(1, 'Default'), project(2, 'staging')];
  const records: CallRecord[] = [];
  const store = memoryStore(projects);
  const pepper = new Pepper(new Secret('5a'.repeat(32)));
  const mirror = new KeyMirror(pepper);
  await mirror.load(store.keys());
  const providers = ['mine', 'broken'].map((name) =>
    configureProvider(custom, { name, origin: `http://${name}.internal`, credential: new Secret(CREDENTIAL) }),
  );
  const services: ControlServices = {
    version: '1.2.3',
    clock,
    keys: new KeyBook({ store, mirror, pepper, bus: new Bus(), clock }),
    projects: () => store.projects(),
    catalog: { all: () => [model('acme/large', prices(3_000_000n, 15_000_000n)), model('acme/small', null)] },
    providers,
    records: {
      tail: async ({ after, limit }) =>
        after === null
          ? records.slice(-limit)
          : records.slice(records.findIndex((record) => record.callId === after) + 1).slice(0, limit),
      since: (sequence) => ({ records: records.slice(sequence), sequence: records.length }),
      get sequence() {
        return records.length;
      },
    },
    testConnection: async ({ name, origin }) => ({
      provider: name,
      origin,
      ok: name === 'mine',
      status: name === 'mine' ? 200 : 401,
      models: name === 'mine' ? 2 : null,
      durationMs: 12.4,
      problem: name === 'mine' ? null : 'The credential was not accepted; check it.',
    }),
    status: () => ({ ready: true, reasons: [], address: 'http://127.0.0.1:8080', inFlight: 0 }),
  };
  return { services, clock, projects, records };
}

/** A call that cost `costNano`. */
export function record(admittedAt: number, costNano: bigint): CallRecord {
  return {
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
    cost: nanoUsd(costNano),
    charge: nanoUsd(costNano),
    ending: 'complete',
    dialect: 'openai-chat',
    upstreamDialect: 'openai-chat',
    upstreamId: 'chatcmpl-1',
    streamed: false,
    status: 200,
    errorCode: null,
    finishReason: 'stop',
    attempts: [{ provider: 'mine', upstreamModel: 'large', status: 200, error: null, durationMs: 20 }],
    warnings: [],
    firstByteMs: 11,
    durationMs: 20,
    requestBytes: 100,
    responseBytes: 200,
  };
}

export function project(id: number, name: string, archivedAt: number | null = null): Project {
  return { id: projectId(id), accountId: accountId(1), name, createdAt: 0, archivedAt };
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
    thinking: null,
    systemAnywhere: false,
    prefill: true,
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
    reasoning: null,
    image: null,
    request: null,
    webSearch: null,
    tiers: [],
  };
}

function memoryStore(projects: readonly Project[]): AccountStore {
  const keys: Key[] = [];
  return {
    async createAccount() {
      throw new Error('the control plane makes no accounts');
    },
    async createProject() {
      throw new Error('the control plane makes no projects');
    },
    async createKey(request) {
      const id = keys.length + 1;
      const key: Key = {
        ...request,
        id: keyId(id),
        accountId: accountId(1),
        name: request.name ?? `Key ${id}`,
        disabled: false,
        revokedAt: null,
        retiringAt: null,
      };
      keys.push(key);
      return key;
    },
    async revokeKey(id, at) {
      const index = keys.findIndex((key) => key.id === id);
      const key = keys[index];
      if (key === undefined) return null;
      const revoked = { ...key, revokedAt: key.revokedAt ?? at };
      keys[index] = revoked;
      return revoked;
    },
    accounts: async () => [],
    projects: async () => projects,
    async *keys() {
      yield* keys;
    },
  };
}
