/** Requests that real clients sent, from a folder of recorded exchanges. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallerDialectName } from '../../src/dialects/index.ts';
import type { RequestFixture } from './fixtures.ts';

/** The path of each format's requests, and a field that all of them have. */
const PLACES: Readonly<Record<string, { readonly path: RegExp; readonly field: string }>> = {
  'openai-chat': { path: /\/chat\/completions$/, field: 'messages' },
  'anthropic-messages': { path: /\/messages$/, field: 'messages' },
  'openai-responses': { path: /\/responses$/, field: 'input' },
  gemini: { path: /:(g|streamG)enerateContent$/, field: 'contents' },
};

/** The bodies that were sent to this format's path; recordings of exchanges and of single requests. */
export function recordedRequests(folder: string, from: CallerDialectName): readonly RequestFixture[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const json: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const exchanges = Array.isArray(json) ? json.map((exchange) => exchange?.request) : [json];
    return exchanges
      .filter((request) => isSentTo(request, from))
      .map(({ body }) => ({ from, name: file, about: file, request: body }));
  });
}

function isSentTo(
  request: unknown,
  format: CallerDialectName,
): request is { readonly body: RequestFixture['request'] } {
  const place = PLACES[format];
  if (place === undefined || typeof request !== 'object' || request === null || !('body' in request)) return false;
  const { uri, path, body } = request as { uri?: string; path?: string; body?: Record<string, unknown> };
  return place.path.test((uri ?? path ?? '').replace(/\?.*/, '')) && Array.isArray(body?.[place.field]);
}
