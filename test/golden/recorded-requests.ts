/** Requests that real clients sent, from a folder of recorded exchanges. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RelayDialectName } from '../../src/dialects/index.ts';

export interface RecordedRequest {
  readonly file: string;
  readonly body: unknown;
}

const PATHS: Readonly<Record<RelayDialectName, RegExp>> = {
  'openai-chat': /\/chat\/completions$/,
  'anthropic-messages': /\/messages$/,
};

/** The bodies that were sent to this format's path; recordings of exchanges and of single requests. */
export function recordedRequests(folder: string, format: RelayDialectName): readonly RecordedRequest[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.sort().flatMap((file) => {
    const json: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const exchanges = Array.isArray(json) ? json.map((exchange) => exchange?.request) : [json];
    return exchanges
      .filter((request) => sentTo(request, format) && Array.isArray(request.body?.messages))
      .map(({ body }) => ({ file, body }));
  });
}

function sentTo(request: unknown, format: RelayDialectName): request is { readonly body: { messages?: unknown } } {
  if (typeof request !== 'object' || request === null || !('body' in request)) return false;
  const { uri, path } = request as { uri?: string; path?: string };
  return PATHS[format].test((uri ?? path ?? '').replace(/\?.*/, ''));
}
