/**
 * The data plane's routes, on one page: path to dialect and operation. They are served before the
 * framework sees the request: its own routing costs as much as several steps of a call. The body
 * is left unread for the handler, so that a bad key is refused before a byte of it is taken.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnyCallerDialect, CallerDialectName } from '../dialects/index.ts';
import { callerDialects } from '../dialects/index.ts';
import { handleCountTokens } from './count-tokens.ts';
import { describe } from './end/reply-error.ts';
import type { Gateway } from './gateway.ts';
import { handleChat } from './handle-chat.ts';

interface ChatRoute {
  readonly path: string;
  readonly handle: Handle;
  readonly dialect: CallerDialectName;
  /** Paths that callers arrive at with a base address one segment off, and that can mean nothing else. */
  readonly aliases: readonly string[];
}

export const chatRoutes: readonly ChatRoute[] = [
  {
    path: '/api/v1/chat/completions',
    handle: handleChat,
    dialect: 'openai-chat',
    aliases: ['/v1/chat/completions', '/api/v1/v1/chat/completions', '/chat/completions'],
  },
  {
    path: '/v1/messages',
    handle: handleChat,
    dialect: 'anthropic-messages',
    aliases: ['/api/v1/messages', '/api/v1/v1/messages', '/v1/v1/messages', '/api/messages', '/messages'],
  },
  {
    path: '/v1/messages/count_tokens',
    handle: handleCountTokens,
    dialect: 'anthropic-messages',
    aliases: ['/api/v1/messages/count_tokens', '/api/v1/v1/messages/count_tokens', '/v1/v1/messages/count_tokens'],
  },
];

type Handle = (
  gateway: Gateway,
  dialect: AnyCallerDialect,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/** Serves a request when it is a chat call; false leaves it to whoever comes next. */
export type ChatHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Looks at method and path only. One look in a table is all the routing that calls need. */
export function chatHandler(gateway: Gateway): ChatHandler {
  const byPath = new Map<string, { readonly dialect: AnyCallerDialect; readonly handle: Handle }>();
  for (const { path, aliases, dialect, handle } of chatRoutes) {
    const route = { dialect: callerDialects[dialect], handle };
    for (const each of [path, ...aliases]) byPath.set(each, route).set(`${each}/`, route);
  }
  return (request, response) => {
    if (request.method !== 'POST') return false;
    const url = singleSlash(request.url ?? '');
    const route = byPath.get(url) ?? byPath.get(url.split('?', 1)[0] as string);
    if (route === undefined) return false;
    route.handle(gateway, route.dialect, request, response).catch((error) => {
      gateway.log.error({ cause: describe(error) }, 'failed');
      response.destroy();
    });
    return true;
  };
}

/** A base address that ends in a slash makes two of them. */
function singleSlash(url: string): string {
  return url.charCodeAt(1) === SLASH && url.charCodeAt(0) === SLASH ? url.replace(/^\/+/, '/') : url;
}

const SLASH = 0x2f;

/** Whether a path, without its query, is one that takes calls. */
export function isChatPath(path: string): boolean {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  return chatRoutes.some((route) => route.path === bare || route.aliases.includes(bare));
}
