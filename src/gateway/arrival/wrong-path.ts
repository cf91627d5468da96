/** A 404 that helps: nearly every wrong path is a base address with a segment too many or too few, or something that is not served. */
import { GatewayError } from '../../core/errors.ts';

const KNOWN = '/api/v1/chat/completions, /v1/messages, /api/v1/models, /api/v1/key';
/** What OpenAI's clients also ask for: their base address is right. */
const NOT_SERVED = /^(?:\/api)?\/v1\/(?:responses|embeddings|completions|images|audio)(?:\/|$)/;

/** `publicUrl`: the address callers use, without a slash at its end. */
export function wrongPath(method: string, path: string, publicUrl: string): GatewayError {
  const shown = path.length > 100 ? `${path.slice(0, 100)}…` : path;
  if (NOT_SERVED.test(path)) {
    return new GatewayError('not_found', {
      message: `${shown} is not served by this gateway; use /api/v1/chat/completions or /v1/messages.`,
    });
  }
  return new GatewayError('not_found', {
    message:
      `There is nothing at ${method} ${shown}. ` +
      `OpenAI clients take ${publicUrl}/api/v1 as their base address, Anthropic clients (Claude Code too) ${publicUrl}. ` +
      `The routes are ${KNOWN}.`,
  });
}
