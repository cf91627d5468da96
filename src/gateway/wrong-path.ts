/** A 404 that helps: nearly every wrong path is a base address with a segment too many or too few. */
import { GatewayError } from '../core/errors.ts';

const KNOWN = '/api/v1/chat/completions, /v1/messages, /api/v1/models, /api/v1/key';

/** `publicUrl`: the address callers use, without a slash at its end. */
export function wrongPath(method: string, path: string, publicUrl: string): GatewayError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  return new GatewayError('not_found', {
    message:
      `There is nothing at ${method} ${shown}. ` +
      `OpenAI clients take ${publicUrl}/api/v1 as their base address, Anthropic clients (Claude Code too) ${publicUrl}. ` +
      `The routes are ${KNOWN}.`,
  });
}
