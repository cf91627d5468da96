/** A 404 that helps: nearly every wrong path is a base address with a segment too many or too few, or something that is not served. */
import { GatewayError } from '../../core/errors.ts';
import { callerDialects } from '../../dialects/index.ts';

const CALLERS = Object.values(callerDialects);
const TALKS: ReadonlySet<string> = new Set(['chat', 'compact', 'count_tokens']);
const CHAT_PATHS = CALLERS.map(({ paths: [{ pattern }] }) => pattern);
const KNOWN = [...CHAT_PATHS, '/api/v1/models', '/api/v1/key'].join(', ');
/** What the vendors' clients also ask for, below a version: their base address is right. */
const NOT_SERVED_NAMES: ReadonlySet<string> = new Set([
  ...['images', 'audio', 'videos', 'realtime', 'conversations'],
  ...['uploads', 'vector_stores', 'containers', 'assistants', 'threads', 'fine_tuning'],
  ...['cachedContents', 'fileSearchStores', 'tunedModels', 'interactions'],
]);
/** Files and batches are served in OpenAI's format only, not in Gemini's. */
const NOT_SERVED_IN_BETA: ReadonlySet<string> = new Set([...NOT_SERVED_NAMES, 'files', 'batches']);
/** Of operations that formats have besides a conversation, by the names that are in their paths. */
const FURTHER = CALLERS.flatMap(({ paths }) => paths.filter(({ operation }) => !TALKS.has(operation)))
  .map(({ pattern }) => pattern)
  .filter((pattern) => !pattern.includes('{'));
const NO_NAMES: ReadonlySet<string> = new Set(['api', 'v1', 'v1beta', 'v2', 'v2beta', '']);
/** Characters of a path: the routes are shorter. */
const LOOKED_AT = 100;
const BELOW_VERSION = /^(?:\/api|\/upload)?\/v1(beta)?\/([A-Za-z_]+)(?:\/|$)/;

/** `publicUrl`: the address callers use, without a slash at its end. */
export function wrongPath(method: string, path: string, publicUrl: string): GatewayError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  const near = nearestPaths(path.slice(0, LOOKED_AT));
  const [, beta, name = ''] = BELOW_VERSION.exec(path) ?? [];
  if ((beta === undefined ? NOT_SERVED_NAMES : NOT_SERVED_IN_BETA).has(name)) {
    return new GatewayError('not_found', {
      message: `${shown} is not served by this gateway; use ${(near.length > 0 ? near : CHAT_PATHS).join(' or ')}.`,
    });
  }
  return new GatewayError('not_found', {
    message:
      `There is nothing at ${method} ${shown}. ` +
      `${baseAddresses(publicUrl)}. ` +
      `${near.length > 0 ? `The nearest routes are ${near.join(', ')}` : `The routes are ${KNOWN}`}.`,
  });
}

/** Those that have the most names in common with what was asked for. */
function nearestPaths(path: string): readonly string[] {
  const asked = namesIn(path);
  let most = 1;
  let nearest: string[] = [];
  for (const pattern of FURTHER) {
    const common = [...namesIn(pattern)].filter((name) => asked.has(name)).length;
    if (common < most) continue;
    if (common > most) nearest = [];
    most = common;
    nearest.push(pattern);
  }
  return nearest;
}

function namesIn(path: string): ReadonlySet<string> {
  return new Set(path.split('/').filter((name) => !NO_NAMES.has(name)));
}

function baseAddresses(publicUrl: string): string {
  const byBase = Map.groupBy(CALLERS, ({ clients }) => clients.basePath);
  return [...byBase]
    .map(([basePath, callers], index) => {
      const names = callers.map(({ clients }) => clients.name).join(' and ');
      return `${names} ${index === 0 ? 'use ' : ''}${publicUrl}${basePath}${index === 0 ? ' as the base URL' : ''}`;
    })
    .join(', ');
}
