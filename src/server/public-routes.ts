/** The public routes that only read; those that call models are in `gateway/routes.ts`. */
import { timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { KeyMirror } from '../accounts/key-mirror.ts';
import type { Key } from '../accounts/keys.ts';
import type { ScopeMirror } from '../accounts/scope-mirror.ts';
import { activity } from '../api/public/activity.ts';
import { credits } from '../api/public/credits.ts';
import { errorReference } from '../api/public/error-reference.ts';
import { generation } from '../api/public/generation.ts';
import { keyInformation } from '../api/public/key.ts';
import type { ListText } from '../api/public/models/in-turns.ts';
import { listEndpoints } from '../api/public/models/model-endpoints.ts';
import { currentModelLists, type ModelLists, type Shape } from '../api/public/models/model-lists.ts';
import { listProviders } from '../api/public/models/provider-list.ts';
import { FRESH_MS, ShownModels } from '../api/public/models/shown-models.ts';
import type { Reader } from '../api/public/models/visible-models.ts';
import { openApiText } from '../api/public/openapi.ts';
import type { Query } from '../api/public/query.ts';
import { unlessKnown } from '../api/public/unless-known.ts';
import type { Bank } from '../billing/bank.ts';
import type { PriceStore } from '../billing/ports.ts';
import type { RateBook } from '../billing/rates.ts';
import type { AliasMirror } from '../catalog/alias-mirror.ts';
import type { Catalog } from '../catalog/model.ts';
import { basePathOf } from '../core/base-path.ts';
import { type Clock, reportedMs } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Secret } from '../core/secret.ts';
import { callerDialects, clientDialect } from '../dialects/index.ts';
import type { RunningCalls } from '../gateway/capacity/running-calls.ts';
import type { Provider } from '../providers/provider.ts';
import type { HealthPort } from '../routing/ports.ts';
import type { StatsReader } from '../stats/ports.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ProviderHealth } from '../telemetry/provider-health.ts';
import type { KeyedRoute, PublicRoutes, ReadAnswer } from './server.ts';

export interface PublicRouteParts {
  /** Why no calls can be served, as codes or sentences; empty if they can. */
  readonly reasons: () => readonly string[];
  /** What `/health` shows of one of several nodes; null for a single one. */
  readonly nodeFacts: (() => object) | null;
  /** The token for `/metrics`; null leaves it open. */
  readonly metricsToken: Secret | null;
  readonly version: string;
  /** From the configuration, or null. */
  readonly publicUrl: string | null;
  /** The path of the index of the docs site (`/llms.txt`), below the base path; null if the site is not served. */
  readonly pages: string | null;
  /** Whether visitors without a key may see the models. */
  readonly showsModels: boolean;
  readonly stats: StatsReader;
  readonly prices: Pick<PriceStore, 'read'>;
}

/** The parts of the gateway that these routes read. */
export interface PublicRoutePorts {
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly health: Pick<ProviderHealth, 'seenOf'>;
  readonly breakers: Pick<HealthPort, 'readiness'>;
  readonly aliases: Pick<AliasMirror, 'inForce'>;
  readonly keys: KeyMirror;
  readonly scopes: ScopeMirror;
  readonly bank: Pick<Bank, 'mode' | 'money'>;
  readonly rates: Pick<RateBook, 'of'>;
  readonly metrics: Pick<Metrics, 'contentType' | 'text'>;
  readonly running: Pick<RunningCalls, 'count' | 'max' | 'load'>;
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
}

/** What follows a model's id where its providers are asked for. */
const ENDPOINTS = '/endpoints';
/** An id may have one part, such as an alias; one with three or more is found by the paths of one model. */
const ENDPOINT_PATHS = ['/api/v1/models', '/v1/models', '/api/v1/v1/models', '/api/v1/model', '/v1/model'].flatMap(
  (path) => [`${path}/:author/:slug${ENDPOINTS}`, `${path}/:slug${ENDPOINTS}`],
);

/** What the page of models for visitors is made of. */
export const SHOWN_MODELS_PATH = '/api/public/models';
/** Somebody whose account has no rates of its own. */
const VISITOR = { rates: {} };

export function publicRoutes(ports: PublicRoutePorts, parts: PublicRouteParts): PublicRoutes {
  const lists = currentModelLists(ports, { listUnpriced: !ports.paidInAdvance });
  const shown = new ShownModels({
    clock: ports.clock,
    lists,
    health: ports.health,
    rates: () => ports.rates.of(VISITOR),
  });
  const openapi = openApiText({ version: parts.version, publicUrl: parts.publicUrl });
  const errors = errorReference();
  const live = json({ status: 'ok' });
  const basePath = basePathOf(parts.publicUrl);
  const documents = {
    openapi: `${basePath}/openapi.json`,
    errors: `${basePath}/docs/reference/errors.md`,
    ...(parts.pages !== null && { pages: basePath + parts.pages }),
  };
  const { aliases, scopes } = ports;
  const seenBy = (key: Key): Reader => {
    const account = scopes.account(key.accountId);
    const permissions = [key.permissions, scopes.project(key.projectId).permissions, account.permissions];
    return { permissions, rates: ports.rates.of(account), aliases: aliases.inForce(key) };
  };
  const listFor = async (shape: Shape, key: Key, request: FastifyRequest): Promise<ReadAnswer> => {
    if (!isCodex(request)) return { body: await lists().list(shape, seenBy(key), queryOf(request)) };
    return unlessListKnown(await lists().list('codex', seenBy(key)), request.headers['if-none-match']);
  };
  const endpoints = (key: Key, id: string): string | null => {
    const { visible, providers } = lists();
    const { health, breakers } = ports;
    return listEndpoints(
      { visible, providers, health, breakers, servesUnpriced: !ports.paidInAdvance },
      seenBy(key),
      id,
    );
  };
  const endpointsOr404 = (key: Key, id: string): ReadAnswer => {
    const body = endpoints(key, id);
    if (body === null) throw lists().notFound(seenBy(key).permissions, id);
    return { body };
  };
  /** One model, or where it is served if the path asks for that. A model's name may end like such a path. */
  const modelOrEndpoints = (shape: Shape, key: Key, id: string): ReadAnswer => {
    const isOne = !id.endsWith(ENDPOINTS) || lists().visible.find(seenBy(key), id) !== null;
    if (isOne) return { body: lists().one(shape, seenBy(key), id) };
    return endpointsOr404(key, id.slice(0, -ENDPOINTS.length));
  };
  return {
    keyed: [
      {
        paths: ['/api/v1/key', '/v1/key', '/api/v1/auth/key'],
        style: 'openrouter',
        answer: async (key) => json(await keyInformation(key, ports)),
      },
      {
        paths: ['/api/v1/credits', '/v1/credits'],
        style: 'openrouter',
        answer: async (key) => json(await credits(key, ports.bank.money)),
      },
      {
        paths: ['/api/v1/generation', '/v1/generation'],
        style: 'openrouter',
        answer: async (key, { query }) => json(await generation(key, query as Query, parts)),
      },
      {
        paths: ['/api/v1/activity', '/v1/activity'],
        style: 'openrouter',
        answer: async (key, { query }) => {
          const { keys, scopes, clock } = ports;
          return json(await activity(key, query as Query, { stats: parts.stats, keys, scopes, clock }));
        },
      },
      {
        paths: ['/api/v1/providers', '/v1/providers', '/api/v1/v1/providers'],
        style: 'openrouter',
        answer: async (key) => ({ body: listProviders(lists().providers, await lists().visible.of(seenBy(key))) }),
      },
      {
        paths: ['/api/v1/models', '/api/v1/v1/models', '/api/v1/models/user'],
        style: 'default',
        answer: (key, request) => listFor('openrouter', key, request),
      },
      {
        paths: ['/api/v1/models/count', '/v1/models/count', '/api/v1/v1/models/count'],
        style: 'openrouter',
        answer: async (key, request) => ({ body: await lists().count(seenBy(key), queryOf(request)) }),
      },
      {
        paths: ENDPOINT_PATHS,
        style: 'openrouter',
        answer: (key, { params }) => endpointsOr404(key, Object.values(params as object).join('/')),
      },
      {
        paths: ['/api/v1/model/*', '/v1/model/*'],
        style: 'openrouter',
        answer: (key, { params }) => modelOrEndpoints('openrouter', key, idIn(params)),
      },
      {
        paths: ['/v1/models/*', '/api/v1/models/*', '/api/v1/v1/models/*'],
        style: (path) => (path.endsWith(ENDPOINTS) ? 'openrouter' : 'by-client'),
        answer: (key, { headers, params }) => modelOrEndpoints(vendorShape(headers), key, idIn(params)),
      },
      {
        paths: ['/v1/models'],
        style: 'by-client',
        answer: (key, request) => listFor(vendorShape(request.headers), key, request),
      },
      ...vendorLists(lists, seenBy),
    ],
    open: [
      { paths: ['/health/live', '/healthz', '/health/liveliness'], style: 'default', answer: () => live },
      { paths: ['/health/ready', '/readyz', '/health/readiness'], style: 'default', answer: () => readiness(parts) },
      {
        paths: ['/health'],
        style: 'default',
        answer: () => readiness(parts, { version: parts.version, load: loadOf(ports), ...parts.nodeFacts?.() }),
      },
      {
        paths: ['/docs/reference/errors.md', '/docs/reference/errors'],
        style: 'default',
        isPage: true,
        answer: () => ({ contentType: 'text/markdown; charset=utf-8', body: errors }),
      },
      {
        paths: [SHOWN_MODELS_PATH],
        style: 'default',
        answer: (request) => showModels(parts.showsModels ? shown : null, request),
      },
      { paths: ['/openapi.json'], style: 'default', answer: async () => ({ body: await openapi() }) },
      {
        paths: ['/metrics'],
        style: 'default',
        answer: async (request) => {
          checkMetricsToken(request, parts.metricsToken);
          return { contentType: ports.metrics.contentType, body: await ports.metrics.text() };
        },
      },
      {
        paths: ['/'],
        style: 'default',
        isPage: true,
        answer: () => json({ name: 'turnpike', version: parts.version, openapi: documents.openapi }),
      },
      {
        paths: ['/docs'],
        style: 'default',
        isPage: true,
        answer: () => json(documents),
      },
    ],
  };
}

/** The same for every visitor, so that caches on the way can keep it. `shown` is null if nobody may see it. */
async function showModels(shown: ShownModels | null, { headers }: FastifyRequest): Promise<ReadAnswer> {
  if (shown === null)
    throw new GatewayError('not_found', {
      message:
        'This installation shows no models to visitors (dashboard.publicModels). GET /api/v1/models, with a key, lists them.',
    });
  const { gzip, etag } = await shown.text();
  const kept = { 'cache-control': `public, max-age=${FRESH_MS / 1_000}`, etag, vary: 'accept-encoding' };
  if (headers['if-none-match']?.includes(etag) === true) return { status: 304, headers: kept, body: '' };
  if (/\bgzip\b/.test(headers['accept-encoding'] ?? ''))
    return { headers: { ...kept, 'content-encoding': 'gzip' }, body: gzip };
  return { headers: kept, body: await unpack(gzip) };
}

/** On another thread: hardly any client needs it. */
const unpack = promisify(gunzip);

function json(value: unknown, status = 200): ReadAnswer {
  return { status, body: JSON.stringify(value) };
}

function readiness({ reasons }: PublicRouteParts, facts: object = {}): ReadAnswer {
  const found = reasons();
  return json(
    { status: found.length === 0 ? 'ok' : 'unavailable', reasons: found, ...facts },
    found.length === 0 ? 200 : 503,
  );
}

/** An overloaded gateway is ready: whoever balances the load reads here how much there is. */
function loadOf({ running }: PublicRoutePorts): object {
  const { admittedPart, shortage, loopDelayMs, memoryUse } = running.load.view;
  return {
    calls_running: running.count,
    calls_running_max: running.max,
    calls_admitted_ratio: admittedPart,
    shortage,
    loop_delay_ms: reportedMs(loopDelayMs),
    memory_ratio: Number(memoryUse.toFixed(3)),
  };
}

function checkMetricsToken(request: FastifyRequest, token: Secret | null): void {
  if (token === null) return;
  const expected = Buffer.from(`Bearer ${token.reveal()}`);
  const sent = Buffer.from(request.headers.authorization ?? '');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw new GatewayError('invalid_api_key', { message: 'Metrics need their bearer token.' });
  }
}

/** A long list has no entity tag: it would have to be written twice. */
function unlessListKnown(body: ListText, ifNoneMatch: string | undefined): ReadAnswer {
  return typeof body === 'string' ? unlessKnown(body, ifNoneMatch) : { body };
}

function queryOf({ query }: FastifyRequest): Query {
  return query as Query;
}

/** Codex says its version, and expects a list of its own: https://github.com/openai/codex (codex-rs/codex-api, models endpoint). */
function isCodex(request: FastifyRequest): boolean {
  return queryOf(request).client_version !== undefined;
}

/** Clients that say which vendor's they are get its shape; all others OpenAI's. */
function vendorShape(headers: FastifyRequest['headers']): Shape {
  return clientDialect(headers)?.modelList?.shape ?? 'openai';
}

/** The lists of models at paths that only one vendor's clients ask. */
function vendorLists(lists: () => ModelLists, seenBy: (key: Key) => Reader): KeyedRoute[] {
  return Object.values(callerDialects).flatMap((dialect): KeyedRoute[] => {
    const { modelList } = dialect;
    if (modelList?.path === undefined) return [];
    const { path, shape } = modelList;
    return [
      {
        paths: [path, `/api${path}`],
        style: dialect,
        answer: async (key, { query }) => ({ body: await lists().list(shape, seenBy(key), query as Query) }),
      },
      {
        paths: [`${path}/*`, `/api${path}/*`],
        style: dialect,
        answer: (key, { params }) => ({ body: lists().one(shape, seenBy(key), idIn(params)) }),
      },
    ];
  });
}

/** The part of the path that matches a route's `*`. */
function idIn(params: unknown): string {
  return (params as { readonly '*': string })['*'];
}
