/**
 * The public HTTP server: Fastify, hardened, with the data plane's routes and the few public ones that only read. Handlers decide what a
 * caller may do, never this file.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { identify, UnknownKey } from '../accounts/authenticate.ts';
import { awaitKeyNews, mayBeElsewhere } from '../accounts/key-news.ts';
import type { Key } from '../accounts/keys.ts';
import { mountManagement } from '../api/management/door/mount.ts';
import type { Management } from '../api/management/door/parts.ts';
import { noSchemas } from '../api/no-schemas.ts';
import { takeCspReports } from '../api/public/csp-reports.ts';
import { type DashboardFiles, type FileAnswer, isNavigation } from '../api/public/dashboard-files.ts';
import { basePathRemover } from '../core/base-path.ts';
import { asGatewayError, GatewayError, orStorageTrouble } from '../core/errors.ts';
import { generationId, newCallId, requestId } from '../core/ids.ts';
import { type AnyCallerDialect, clientDialect, defaultCallerDialect } from '../dialects/index.ts';
import { BrokenRequests } from '../gateway/arrival/broken-request.ts';
import { checkHead } from '../gateway/arrival/check-head.ts';
import { explainKeyInQuery, refuseKeyInQuery } from '../gateway/arrival/check-query.ts';
import type { ManagementEdgePorts } from '../gateway/arrival/management-edge.ts';
import { writeOpenRouterError } from '../gateway/arrival/openrouter-error.ts';
import { isPreflight, judgeOrigin, originOf, originOfSomeKey } from '../gateway/arrival/page-origin.ts';
import { permitAddress } from '../gateway/arrival/permit.ts';
import { asksForWebSocket, refuseWebSocket } from '../gateway/arrival/refuse-web-socket.ts';
import { badKeyAnswer, TarpitFull } from '../gateway/arrival/tarpit.ts';
import { wrongPath } from '../gateway/arrival/wrong-path.ts';
import { describeError } from '../gateway/end/describe-error.ts';
import { type ChatPorts, chatHandler, isChatPath, methodsForStored } from '../gateway/routes.ts';
import type { ConnectionGuard } from './connection-guard.ts';
import { allowPage, setOrigin, setVary } from './page-replies.ts';

export interface ServerOptions {
  readonly headerBytesMax: number;
  readonly headersMs: number;
  /** The path of the host at which a proxy serves it (`/llm`), whether the proxy strips it or not; empty at the root. */
  readonly basePath?: string;
  /** Limits the number of connections; nothing does if absent. */
  readonly connections?: Pick<ConnectionGuard, 'watch' | 'isCrowded'>;
}

/** The shape of a route's errors: OpenRouter's, the default dialect's, that of the client's dialect, or of this one. */
export type ErrorStyle = 'openrouter' | 'default' | 'by-client' | AnyCallerDialect;

export interface ReadAnswer {
  readonly status?: number;
  /** `application/json` by default. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A long one in parts, each asked for once the one before was taken. */
  readonly body: string | Buffer | AsyncIterable<string>;
}

/** A route that reads; it takes no body. */
interface ReadRoute {
  /** The first is the documented one. */
  readonly paths: readonly string[];
  /** May depend on the path of a request. */
  readonly style: ErrorStyle | ((path: string) => ErrorStyle);
}

/** Served with any valid key. `answer` throws `GatewayError` to refuse. */
export interface KeyedRoute extends ReadRoute {
  readonly answer: (key: Key, request: FastifyRequest) => ReadAnswer | Promise<ReadAnswer>;
}

/** Served without a key: probes, metrics, documents. */
export interface OpenRoute extends ReadRoute {
  /** Whether browsers get a page of the docs or the dashboard here. */
  readonly isPage?: boolean;
  readonly answer: (request: FastifyRequest) => ReadAnswer | Promise<ReadAnswer>;
}

export interface PublicRoutes {
  readonly keyed: readonly KeyedRoute[];
  readonly open: readonly OpenRoute[];
}

/** What is served in addition to the data plane and the routes that read. */
export interface DashboardParts {
  readonly management: Management;
  readonly files: DashboardFiles;
}

/** Where the build has many files. */
const FILE_FOLDERS = ['/assets/', '/docs/'];
/** How often sockets with slow headers are checked. */
const CONNECTION_CHECK_MS = 2_000;
/** A little longer than load balancers usually keep connections, so that this server never closes first. */
const KEEP_ALIVE_MS = 75_000;

export type ServerPorts = ChatPorts &
  ManagementEdgePorts & { readonly publicUrl: () => string; readonly running: { readonly draining: boolean } };

/** With `dashboard` null, only the data plane is served. */
export function buildServer(
  ports: ServerPorts,
  options: ServerOptions,
  routes: PublicRoutes,
  dashboard: DashboardParts | null,
): FastifyInstance {
  const serveChat = chatHandler(ports);
  const withoutBase = basePathRemover(options.basePath ?? '');
  const broken = new BrokenRequests(ports.clock);
  const { connections = null } = options;
  const server = fastify({
    schemaController: noSchemas,
    serverFactory: (serveRest) =>
      createServer(
        {
          maxHeaderSize: options.headerBytesMax,
          headersTimeout: options.headersMs,
          // Bodies have a separate minimum speed; a long one that keeps arriving is not an attack.
          requestTimeout: 0,
          connectionsCheckingInterval: CONNECTION_CHECK_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          noDelay: true,
        },
        (request, response) => {
          // While it drains, too: a load balancer that keeps connections must not use them for another call.
          if (connections?.isCrowded === true || ports.running.draining) response.setHeader('connection', 'close');
          if (withoutBase !== null) request.url = withoutBase(request.url ?? '');
          if (asksForWebSocket(request)) refuseWebSocket(ports, dialectOf(request), response);
          else if (!serveChat(request, response)) serveRest(request, response);
        },
      ),
    clientErrorHandler: (error, socket) => broken.answer(error, socket),
    // A path that cannot be decoded, or has a parameter that is too long.
    frameworkErrors: (error, request, reply) =>
      void replyPlainError(ports, request, reply, defaultCallerDialect, unreadablePath(error)),
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  connections?.watch(server.server);
  // Node would silently drop headers beyond its limit; keep them all, so that they are counted and refused.
  server.server.maxHeadersCount = 0;
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    // "100 Continue" is sent only once the key is known to be good and the body is needed.
    server.server.on(event, (request: IncomingMessage, response: ServerResponse) =>
      server.server.emit('request', request, response),
    );
  }
  for (const route of routes.keyed) addKeyedRoute(server, ports, route);
  const files = dashboard?.files ?? null;
  for (const route of routes.open) addReadRoute(server, ports, route, route.answer, files);
  if (dashboard !== null) {
    for (const door of ['dashboard', 'management'] as const) mountManagement(server, door, dashboard.management);
    takeCspReports(server, ports);
    addFiles(server, dashboard.files);
  }
  server.setNotFoundHandler(async (request, reply) => {
    if (isPreflight(request.raw) && isCallPath(pathOf(request))) return answerPreflight(ports, request, reply);
    const page = files !== null && isPageFor(ports, request) ? files.page(pathOf(request), request.headers) : null;
    if (page !== null) return sendFile(reply, page);
    const allowed = methodsForStored(pathOf(request));
    if (allowed.length > 0) reply.header('allow', allowed.join(', '));
    return replyPlainError(ports, request, reply, dialectOf(request), refusalOf(ports, request));
  });
  server.setErrorHandler((error, request, reply) =>
    replyPlainError(ports, request, reply, defaultCallerDialect, readable(error)),
  );
  return server;
}

/** Answers are private to the key: it must be used from a permitted address, and no cache may store them. */
function addKeyedRoute(server: FastifyInstance, ports: ServerPorts, route: KeyedRoute): void {
  addReadRoute(server, ports, route, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const origin = originOf(request.raw);
    // Without a valid key, whoever a preflight answers can read the error.
    if (origin !== null) setOrigin(reply, originOfSomeKey(ports, origin));
    const credential = errorDialectOf(route, request)?.credential;
    refuseKeyInQuery(credential, queryOf(request));
    const key = await identified(ports, request, credential?.header ?? null);
    if (origin !== null) {
      setOrigin(reply, null);
      setOrigin(reply, judgeOrigin(key, origin));
    }
    permitAddress(ports, key, request.raw);
    // A model's name may have any end, and so may match a path of calls.
    const path = pathOf(request);
    if (isChatPath(path)) throw wrongMethod(path, request.method);
    return route.answer(key, request);
  });
  for (const path of route.paths)
    server.options(path, async (request, reply) =>
      isPreflight(request.raw) ? answerPreflight(ports, request, reply) : reply.callNotFound(),
    );
}

/** May a page call? */
function answerPreflight(ports: ServerPorts, request: FastifyRequest, reply: FastifyReply) {
  try {
    checkHead(request.raw, ports.limits.headersMax);
    return allowPage(ports, request, reply);
  } catch (error) {
    return replyPlainError(ports, request, reply, dialectOf(request), asGatewayError(error));
  }
}

/** Whether a path is served by the data plane. */
function isCallPath(path: string): boolean {
  return isChatPath(path) || methodsForStored(path).length > 0;
}

/** Throws like `identify`; a 401 explains a key in the address. */
async function identified(ports: ServerPorts, request: FastifyRequest, ownHeader: string | null): Promise<Key> {
  const identifyNow = () => identify(request.raw.rawHeaders, ports.keys, ports.clock.now(), ownHeader);
  try {
    return identifyNow();
  } catch (error) {
    if (!mayBeElsewhere(error)) throw explainKeyInQuery(error, queryOf(request));
    await awaitKeyNews(error, ports.keyNews);
    return identifyNow();
  }
}

function addReadRoute(
  server: FastifyInstance,
  ports: ServerPorts,
  route: ReadRoute & Pick<OpenRoute, 'isPage'>,
  answer: (request: FastifyRequest, reply: FastifyReply) => ReadAnswer | Promise<ReadAnswer>,
  files: DashboardFiles | null = null,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const dialect = errorDialectOf(route, request);
    try {
      checkHead(request.raw, ports.limits.headersMax);
      if (files !== null && route.isPage === true) {
        if (isPageFor(ports, request)) return sendFile(reply, files.page(pathOf(request), request.headers));
        reply.header('vary', 'Accept');
      }
      return send(ports, reply, dialect, await answer(request, reply));
    } catch (error) {
      const refusal =
        error instanceof UnknownKey
          ? await badKeyAnswer(ports, request.raw, reply.raw, error)
          : orStorageTrouble(asGatewayError(error), ports);
      return replyPlainError(ports, request, reply, dialect, refusal);
    }
  };
  // An alias of a route gives way to a page of the build.
  const paths = route.paths.filter((path, at) => at === 0 || files?.hasPage(path) !== true);
  for (const path of paths) server.get(path, handler);
}

/** One route for a folder with many files: a route for each would take half of the start. */
function addFiles(server: FastifyInstance, files: DashboardFiles): void {
  const inFolders = new Set<string>();
  for (const path of files.paths) {
    const folder = FILE_FOLDERS.find((folder) => path.startsWith(folder));
    if (folder !== undefined) inFolders.add(folder);
    // A route that works without the build keeps its path.
    else if (!server.hasRoute({ method: 'GET', url: path }))
      server.get(path, async (request, reply) => sendFile(reply, files.file(path, pathOf(request), request.headers)));
  }
  for (const folder of inFolders)
    server.get(`${folder}*`, async (request, reply) => {
      const path = folder + (request.params as { readonly '*': string })['*'].replace(/\/$/, '');
      if (!files.has(path)) return reply.callNotFound();
      return sendFile(reply, files.file(path, pathOf(request), request.headers));
    });
}

/** Whether a browser navigates to a page of the dashboard: not a path of the API, with a valid request head. */
function isPageFor(ports: ServerPorts, request: FastifyRequest): boolean {
  const path = pathOf(request);
  if (!isNavigation(request.method, path, request.headers) || isChatPath(path)) return false;
  try {
    checkHead(request.raw, ports.limits.headersMax);
    return true;
  } catch {
    return false;
  }
}

function sendFile(reply: FastifyReply, answer: FileAnswer): FastifyReply {
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

/** The dialect of a route's errors; null for OpenRouter's shape. */
function errorDialectOf(route: ReadRoute, request: FastifyRequest): AnyCallerDialect | null {
  const style = typeof route.style === 'function' ? route.style(pathOf(request)) : route.style;
  if (style === 'openrouter') return null;
  if (style === 'default') return defaultCallerDialect;
  return style === 'by-client' ? dialectOf(request) : style;
}

function dialectOf({ headers }: Pick<FastifyRequest, 'headers'>): AnyCallerDialect {
  return clientDialect(headers) ?? defaultCallerDialect;
}

function send(
  ports: ServerPorts,
  reply: FastifyReply,
  dialect: AnyCallerDialect | null,
  answer: ReadAnswer,
  id = newId(ports),
) {
  // Read routes take no body, so do not wait for one.
  if (!reply.request.raw.complete) reply.header('connection', 'close');
  return reply
    .code(answer.status ?? 200)
    .header((dialect ?? defaultCallerDialect).requestIdHeader, requestId(id))
    .header('x-generation-id', generationId(id))
    .header('content-type', answer.contentType ?? 'application/json')
    .header('x-content-type-options', 'nosniff')
    .headers(answer.headers ?? {})
    .send(isWhole(answer.body) ? answer.body : Readable.from(answer.body, { highWaterMark: 1 }));
}

function isWhole(body: ReadAnswer['body']): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function replyPlainError(
  ports: ServerPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  dialect: AnyCallerDialect | null,
  error: GatewayError,
) {
  const id = newId(ports);
  ports.metrics.errorAnswered('none', error.code);
  if (error.code === 'internal_error') {
    ports.log.error(
      { request: requestId(id), route: request.routeOptions.url, cause: describeError(error.cause) },
      'failed',
    );
  }
  if (error.status === 405 && !reply.hasHeader('allow')) reply.header('allow', 'POST');
  if (error.code === 'origin_not_allowed') setVary(reply);
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="turnpike"');
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  // A connection with a malformed request may be malformed again: read nothing more from it.
  if (error.code === 'bad_request' || error instanceof TarpitFull) reply.header('connection', 'close');
  const body =
    dialect === null ? writeOpenRouterError(error, requestId(id)) : dialect.writeError(error, requestId(id)).toString();
  return send(ports, reply, dialect, { status: error.status, body }, id);
}

/** The error for a request that matches no route. */
function refusalOf(ports: ServerPorts, request: FastifyRequest): GatewayError {
  try {
    checkHead(request.raw, ports.limits.headersMax);
  } catch (error) {
    return asGatewayError(error);
  }
  const path = pathOf(request);
  if (isChatPath(path)) return wrongMethod(path, request.method);
  const allowed = methodsForStored(path);
  if (allowed.length > 0) return wrongMethod(path, request.method, allowed);
  return wrongPath(request.method, path, ports.publicUrl());
}

function wrongMethod(path: string, method: string, allowed: readonly string[] = ['POST']): GatewayError {
  return new GatewayError('method_not_allowed', { message: `${path} accepts ${allowed.join(', ')}, not ${method}.` });
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

function queryOf({ url }: FastifyRequest): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

function newId(ports: ServerPorts) {
  return newCallId(ports.clock.now());
}

/** Fastify's own errors have a status; anything else is our bug. */
function readable(error: unknown): GatewayError {
  const status = (error as { statusCode?: number }).statusCode;
  if (status === undefined || status >= 500) return asGatewayError(error);
  if (status === 413) return new GatewayError('request_too_large');
  if (status === 415) return new GatewayError('unsupported_media_type');
  return new GatewayError('bad_request', { cause: error });
}

/** Errors of the router before a route is found. https://fastify.dev/docs/latest/Reference/Errors/ */
function unreadablePath(error: { readonly code?: string }): GatewayError {
  return error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? new GatewayError('not_found') : readable(error);
}
