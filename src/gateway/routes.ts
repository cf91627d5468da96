/**
 * The data plane's routes, on one page: path to dialect and operation. The body of a request is
 * left unread for the handler, so that a bad key is refused before a byte of it is taken.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DialectName } from '../dialects/dialect.ts';
import { dialects } from '../dialects/index.ts';
import type { Gateway } from './gateway.ts';
import { handleChat } from './handle-chat.ts';

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

export function addChatRoutes(server: FastifyInstance, gateway: Gateway): void {
  server.register(async (plane) => {
    plane.removeAllContentTypeParsers();
    plane.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const route of chatRoutes) {
      const dialect = dialects[route.dialect];
      const handler = (request: FastifyRequest, reply: FastifyReply) => {
        reply.hijack();
        return handleChat(gateway, dialect, request.raw, reply.raw);
      };
      for (const path of [route.path, ...route.aliases]) plane.post(path, handler);
    }
  });
}
