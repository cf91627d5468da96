/**
 * Looks whether an equal request was answered a short time ago, if the caller or its key wants that. Equal means: of the same project, in the
 * same format, for the same model and the same targets, with the same headers that matter and the same body, byte for byte. Only the fields
 * that say whether the answer is streamed may differ.
 */

import { type CacheKeys, formOf } from '../../response-cache/cache-key.ts';
import { readCacheWish } from '../../response-cache/cache-wish.ts';
import type { ResponseCache } from '../../response-cache/response-cache.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import type { Paid } from '../phases.ts';
import type { CacheUse } from './cache-use.ts';

export interface LookUpPorts {
  readonly responseCache: ResponseCache;
  readonly cacheKeys: CacheKeys;
}

export const WHOLE = 'whole';
const EVENTS = 'events';

/**
 * Null if the call has nothing to do with the cache, as nearly every call. Otherwise resolves when `call.caching` is set. Throws `GatewayError`
 * 400 `invalid_value` for a header that says neither yes nor no.
 */
export function lookUp(ports: LookUpPorts, call: Paid): Promise<void> | null {
  const wish = readCacheWish(call.request.headers, call.key.cacheSeconds);
  if (wish === null || ports.responseCache.isOff) return null;
  const use: Omit<CacheUse, 'key'> = {
    wish,
    form: formFor(call),
    model: call.model,
    found: null,
    recording: null,
    answer: null,
  };
  if (!mayBeKept(call)) {
    call.caching = { ...use, key: null };
    return Promise.resolve();
  }
  return find(ports, call, use);
}

async function find(ports: LookUpPorts, call: Paid, use: Omit<CacheUse, 'key'>): Promise<void> {
  const { key, dialect, inbound, wish } = { ...call, ...use };
  const { projectId } = key;
  const body = equalParts(inbound.document, dialect.caching.streamFields);
  const digest = await ports.cacheKeys.of({ projectId, texts: equalTexts(call), body });
  const found = wish.isRefresh ? null : ports.responseCache.find(projectId, digest, use.form, wish.maxAgeMs);
  call.caching = { ...use, key: digest, found };
}

/**
 * Not what a provider's tools did while it answered, nor what depends on an answer that a provider keeps, or was itself a shortened
 * conversation.
 */
function mayBeKept({ operation, peek }: Paid): boolean {
  if (!operation.mayBeKept || peek.compacts) return false;
  return peek.serverToolUses === 0 && peek.searchField === null && (peek.stored ?? []).length === 0;
}

function equalTexts({ dialect, operation, peek, model, candidates, request }: Paid): readonly string[] {
  const servers = candidates
    .map(({ model: { id }, target: { provider, upstreamModel }, own }) => {
      // What an own credential's server has said is not what the operator's provider would say, or another server.
      const owner = own === null ? '' : ` ${own.id}@${own.service.origin}`;
      return `${id} ${provider}/${upstreamModel}${owner}`;
    })
    .sort();
  const headers = dialect.caching.headers.map((name) => `${name}: ${request.headers[name] ?? ''}`);
  return [dialect.name, operation.name, peek.model, model.id, servers.join(' '), ...headers];
}

/** Each field with its name, as it was written; without what is between them, so that a field may be absent. */
function equalParts({ bytes, fields }: JsonDocument, without: readonly string[]): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (const [name, { keyStart, valueEnd }] of fields)
    if (!without.includes(name)) parts.push(bytes.subarray(keyStart, valueEnd));
  return parts;
}

/** Two streams of the same answer differ if they are framed in another way, or have other options. */
function formFor({ dialect, inbound, peek }: Paid): string {
  if (!peek.stream) return WHOLE;
  const { fields, bytes } = inbound.document;
  const options = dialect.caching.streamFields.slice(1).flatMap((name) => {
    const field = fields.get(name);
    return field === undefined ? [] : [bytes.subarray(field.keyStart, field.valueEnd)];
  });
  const name = dialect.streamForm?.(inbound)?.contentType ?? EVENTS;
  return formOf(name, options.length === 0 ? null : Buffer.concat(options));
}

/** Whether an answer in this form is server-sent events. */
export function isEvents(form: string): boolean {
  return form === EVENTS || form.startsWith(`${EVENTS} `);
}
