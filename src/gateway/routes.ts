/**
 * The data plane's routes, on one page: path to dialect and operation. They are served before the
 * framework sees the request: its own routing costs as much as several steps of a call. The body
 * is left unread for the handler, so that a bad key is refused before a byte of it is taken.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { dialects } from '../dialects/index.ts';
import type { Gateway } from './gateway.ts';
import { handleChat } from './handle-chat.ts';
import { describe } from './reply-error.ts';

interface ChatRoute {
  readonly path: string;
  readonly dialect: DialectName;
  /** Paths that callers arrive at with a base address one segment off, and that can mean nothing else. */
  readonly aliases: readonly string[];
}

export const chatRoutes: readonly ChatRoute[] = [
  {
    path: '/api/v1/chat/completions',
    dialect: 'openai-chat',
    aliases: ['/v1/chat/completions', '/api/v1/v1/chat/completions', '/chat/completions'],
  },
  {
    path: '/v1/messages',
    dialect: 'anthropic-messages',
    aliases: ['/api/v1/messages', '/api/v1/v1/messages', '/v1/v1/messages', '/api/messages', '/messages'],
  },
];

/** Serves a request when it is a chat call; false leaves it to whoever comes next. */
export type ChatHandler = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Looks at method and path only. One look in a table is all the routing that calls need. */
export function chatHandler(gateway: Gateway): ChatHandler {
  const byPath = new Map<string, Dialect>();
  for (const { path, aliases, dialect } of chatRoutes) {
    for (const each of [path, ...aliases]) byPath.set(each, dialects[dialect]).set(`${each}/`, dialects[dialect]);
  }
  return (request, response) => {
    if (request.method !== 'POST') return false;
    const { url = '' } = request;
    const dialect = byPath.get(url) ?? byPath.get(url.split('?', 1)[0] as string);
    if (dialect === undefined) return false;
    handleChat(gateway, dialect, request, response).catch((error) => {
      gateway.log.error({ cause: describe(error) }, 'failed');
      response.destroy();
    });
    return true;
  };
}

/** Whether a path, without its query, is one that takes calls. */
export function isChatPath(path: string): boolean {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  return chatRoutes.some((route) => route.path === bare || route.aliases.includes(bare));
}
