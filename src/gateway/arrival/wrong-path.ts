/** A 404 that helps: nearly every wrong path is a base address with a segment too many or too few, or something that is not served. */
import { GatewayError } from '../../core/errors.ts';
import { callerDialects } from '../../dialects/index.ts';

const CALLERS = Object.values(callerDialects);
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
const BELOW_VERSION = /^(?:\/api|\/upload)?\/v1(beta)?\/([A-Za-z_]+)(?:\/|$)/;

/** `publicUrl`: the address callers use, without a slash at its end. */
export function wrongPath(method: string, path: string, publicUrl: string): GatewayError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  const [, beta, name = ''] = BELOW_VERSION.exec(path) ?? [];
  if ((beta === undefined ? NOT_SERVED_NAMES : NOT_SERVED_IN_BETA).has(name)) {
    return new GatewayError('not_found', {
      message: `${shown} is not served by this gateway; use ${CHAT_PATHS.join(' or ')}.`,
    });
  }
  return new GatewayError('not_found', {
    message: `There is nothing at ${method} ${shown}. ` + `${baseAddresses(publicUrl)}. ` + `The routes are ${KNOWN}.`,
  });
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
