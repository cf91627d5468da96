/**
 * The data plane's routes: path to dialect and operation, as the dialects declare them. They are served before the framework
 * sees the request, because its own routing costs as much as several steps of a call. The body is left unread for the
 * handler, so that a bad key is refused before a byte of it is read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerDialects } from '../dialects/index.ts';
import type { RequestPath } from '../dialects/interface/inbound.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { Log } from '../telemetry/log.ts';
import { PathPattern } from './arrival/path-pattern.ts';
import { batchMethods, findBatchRequest } from './batches/batch-routes.ts';
import { type BatchPorts, serveBatches } from './batches/serve-batches.ts';
import { describeError } from './end/describe-error.ts';
import { fileMethods, findFileRequest } from './files/file-routes.ts';
import { type FilePorts, serveFiles } from './files/serve-files.ts';
import type { ServeLine } from './lines/line-calls.ts';
import { type PlanPorts, servePlan } from './planned/serve-plan.ts';
import { type CallRoute, serveCall, type TripPorts } from './serve-call.ts';
import { type StoredPorts, serveStored } from './stored/serve-stored.ts';
import { findStored, storedMethods } from './stored/stored-routes.ts';

interface ChatRoute extends CallRoute {
  /** The documented path. */
  readonly path: string;
  readonly aliases: readonly string[];
  /** Whether a request is answered with how it would be served, instead of being served. */
  readonly isPlan: boolean;
}

const callRoutes: readonly (ChatRoute & { readonly plannedAt: string | null })[] = Object.values(
  callerDialects,
).flatMap((dialect) =>
  dialect.paths.map(({ pattern, aliases, operation: name, plannedAt = null }) => {
    const operation: Operation = operations[name];
    return { path: pattern, aliases, operation, dialect, plannedAt, isPlan: false };
  }),
);

export const chatRoutes: readonly ChatRoute[] = [
  ...callRoutes,
  ...callRoutes.flatMap(({ plannedAt, ...route }) =>
    plannedAt === null ? [] : [{ ...route, path: plannedAt, aliases: [], isPlan: true }],
  ),
];

export type ChatPorts = TripPorts &
  PlanPorts &
  StoredPorts &
  FilePorts &
  BatchPorts & { readonly log: Pick<Log, 'error'> };

/** Serves a request if it is a call of a model; false leaves it to the next handler. */
export type ChatHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Uses only method and path. Most calls need just one table lookup. */
export function chatHandler(ports: ChatPorts): ChatHandler {
  return (request, response) => {
    const target = singleSlash(request.url ?? '');
    const found = request.method === 'POST' ? findRoute(target) : null;
    if (found === null) {
      const serving = serveOther(ports, target, request, response);
      serving?.catch((error) => fail(ports, response, error));
      return serving !== null;
    }
    const { route, asked } = found;
    const serve = route.isPlan ? servePlan : serveCall;
    serve(ports, route, asked, request, response).catch((error) => fail(ports, response, error));
    return true;
  };
}

/** What providers keep, files, and batches. Null for a request about none of them. */
function serveOther(
  ports: ChatPorts,
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> | null {
  const stored = findStored(request.method, target);
  if (stored !== null) return serveStored(ports, stored, request, response);
  const file = findFileRequest(request.method, target);
  if (file !== null) return serveFiles(ports, file, request, response);
  const batch = findBatchRequest(request.method, target);
  return batch === null ? null : serveBatches(ports, batch, request, response);
}

/** The methods that a path accepts, without its query, if it is about what is stored; empty if it is another path. */
export function methodsForStored(path: string): readonly string[] {
  const methods = storedMethods(path);
  return methods.length > 0 ? methods : [...fileMethods(path), ...batchMethods(path)];
}

/** Serves the request of a line of a batch, whose path was checked with the batch. */
export function lineHandler(ports: TripPorts & Pick<ChatPorts, 'log'>): ServeLine {
  return (line, request, response) => {
    const found = findRoute(request.url ?? '');
    if (found === null || found.route.isPlan) return void response.destroy();
    serveCall(ports, found.route, found.asked, request, response, line).catch((error) => fail(ports, response, error));
  };
}

function fail({ log }: Pick<ChatPorts, 'log'>, response: ServerResponse, error: unknown): void {
  log.error({ cause: describeError(error) }, 'failed');
  response.destroy();
}

/** Whether a path, without its query, accepts calls. */
export function isChatPath(path: string): boolean {
  return findRoute(path) !== null;
}

interface FoundRoute {
  readonly route: ChatRoute;
  readonly asked: RequestPath;
}

const NO_PARAMETERS = Object.freeze({});
const exactPaths = new Map<string, FoundRoute>();
const patterns: { readonly pattern: PathPattern; readonly route: ChatRoute }[] = [];
for (const route of chatRoutes) {
  for (const path of [route.path, ...route.aliases]) {
    if (PathPattern.isOne(path)) patterns.push({ pattern: new PathPattern(path), route });
    else for (const each of [path, `${path}/`]) exactPaths.set(each, { route, asked: askedAt(each, '') });
  }
}

/** `target`: path and query. */
function findRoute(target: string): FoundRoute | null {
  const found = exactPaths.get(target);
  if (found !== undefined) return found;
  const mark = target.indexOf('?');
  if (mark === -1) return findPattern(target, '');
  const path = target.slice(0, mark);
  const query = target.slice(mark + 1);
  const known = exactPaths.get(path);
  return known === undefined ? findPattern(path, query) : { route: known.route, asked: askedAt(path, query) };
}

function findPattern(path: string, query: string): FoundRoute | null {
  for (const { pattern, route } of patterns) {
    const parameters = pattern.match(path);
    if (parameters !== null) return { route, asked: { path, query, parameters } };
  }
  return null;
}

function askedAt(path: string, query: string): RequestPath {
  return { path, query, parameters: NO_PARAMETERS };
}

/** A base address that ends in a slash leads to two slashes. */
function singleSlash(url: string): string {
  return url.charCodeAt(1) === SLASH && url.charCodeAt(0) === SLASH ? url.replace(/^\/+/, '/') : url;
}

const SLASH = 0x2f;
