/**
 * `GET /api/v1/generation?id=`: the record of a call, in the fields of OpenRouter's answer
 */
import type { Key } from '../../accounts/keys.ts';
import type { PriceStore } from '../../billing/ports.ts';
import { GatewayError } from '../../core/errors.ts';
import { generationId, parseCallId, requestId } from '../../core/ids.ts';
import { formatPrice, usdLiteral } from '../../core/money.ts';
import type { Ending } from '../../core/settlement.ts';
import { completionTokens, promptTokens } from '../../core/usage.ts';
import { isFailure, readFinish, writeFinish } from '../../dialects/openai-chat/answer/finish-reason.ts';
import type { Attempt, CallOwner, CallRecord, StatsReader } from '../../stats/ports.ts';
import { hasDetail } from '../../stats/record.ts';
import { type CostLine, costLines } from '../management/reports/price-lines.ts';
import { oneOf, type Query } from './query.ts';

export interface GenerationFacts {
  readonly stats: Pick<StatsReader, 'call' | 'callByUpstreamId'>;
  readonly prices: Pick<PriceStore, 'read'>;
}

/** Throws `GatewayError`: 400 without an id, 404 if the key has no such call. Returns exact numbers for `JSON.stringify`. */
export async function generation(key: Key, query: Query, facts: GenerationFacts): Promise<object> {
  const id = oneOf(query, 'id');
  if (id === null) {
    throw new GatewayError('missing_field', {
      message: 'Name the call: ?id=gen-…, from the header x-generation-id.',
      param: 'id',
    });
  }
  const record = await find(key, id, facts.stats);
  if (record === null) {
    throw new GatewayError('not_found', {
      message:
        'This key has no such call. A call can be found after its answer has ended: by its gen-… or req_… id or, while its record exists, by the id that its provider gave it.',
      param: 'id',
    });
  }
  const prices = record.priceVersion === null ? null : await facts.prices.read(record.priceVersion);
  const lines = prices === null || record.cost === null ? null : costLines(record.usage, prices);
  return { data: { ...openRouterFields(record), ...ownFields(record, lines) } };
}

/** The longest provider's id in a record. */
const ID_LENGTH_MAX = 256;

async function find(key: Key, id: string, stats: GenerationFacts['stats']): Promise<CallRecord | null> {
  const owner = ownerOf(key);
  const callId = parseCallId(id);
  const record = callId === null ? null : await stats.call(callId);
  if (record !== null && isOf(owner, record)) return record;
  // An id with one of our prefixes and our format is not a provider's.
  if (id.length > ID_LENGTH_MAX || (callId !== null && id !== callId)) return null;
  return stats.callByUpstreamId(id, owner);
}

function ownerOf({ accountId, projectId, kind }: Key): CallOwner {
  return { accountId, projectId: kind === 'management' ? null : projectId };
}

function isOf({ accountId, projectId }: CallOwner, record: CallRecord): boolean {
  return record.accountId === accountId && (projectId === null || record.projectId === projectId);
}

const CANCELLED: ReadonlySet<Ending> = new Set(['caller_left', 'caller_slow', 'key_cut']);

/** Unknown values are null if the record is only a settlement. */
function openRouterFields(record: CallRecord): Readonly<Record<string, unknown>> {
  const { usage, charge, firstByteMs, durationMs } = record;
  const isDetailed = hasDetail(record);
  const prompt = promptTokens(usage);
  const completion = completionTokens(usage);
  return {
    id: generationId(record.callId),
    request_id: requestId(record.callId),
    upstream_id: record.upstreamId,
    api_type: 'completions',
    model: record.model,
    provider_name: record.provider,
    created_at: new Date(record.admittedAt).toISOString(),
    streamed: isDetailed ? record.streamed : null,
    cancelled: CANCELLED.has(record.ending),
    finish_reason: finishReason(record.finishReason),
    native_finish_reason: record.finishReason,
    tokens_prompt: prompt,
    tokens_completion: completion,
    native_tokens_prompt: prompt,
    native_tokens_completion: completion,
    native_tokens_reasoning: usage.reasoningTokens,
    native_tokens_cached: usage.cacheReadTokens,
    native_tokens_completion_images: null,
    total_cost: usdLiteral(charge),
    usage: usdLiteral(charge),
    upstream_inference_cost: record.ownCredential ? usdLiteral(record.cost) : null,
    cache_discount: null,
    is_byok: record.ownCredential,
    latency: isDetailed ? durationMs : null,
    generation_time: firstByteMs === null ? null : rounded(durationMs - firstByteMs),
    moderation_latency: null,
    provider_responses: isDetailed
      ? record.attempts.map((attempt) => writeAttempt(attempt, record.ownCredential))
      : null,
    origin: '',
    http_referer: record.labels?.referer ?? null,
    user_agent: null,
    app_id: null,
    external_user: record.labels?.user ?? null,
    preset_id: null,
    router: null,
    service_tier: null,
    session_id: null,
    workspace_id: null,
    data_region: 'global',
    num_media_prompt: null,
    num_media_completion: null,
    num_input_audio_prompt: null,
    num_search_results: null,
    num_fetches: null,
    web_search_engine: null,
  };
}

function ownFields(record: CallRecord, lines: readonly CostLine[] | null): Readonly<Record<string, unknown>> {
  const isDetailed = hasDetail(record);
  return {
    asked_model: record.asked,
    key_id: record.keyId,
    project_id: record.projectId,
    operation: record.operation,
    dialect: isDetailed ? record.dialect : null,
    upstream_dialect: record.upstreamDialect,
    ending: record.ending,
    status: isDetailed ? record.status : null,
    error_code: record.errorCode,
    usage_source: record.usageSource,
    web_searches: record.usage.webSearches,
    file_searches: record.usage.fileSearches,
    code_containers: record.usage.codeContainers,
    units: record.usage.units,
    price_version: record.priceVersion,
    price_lines: lines === null ? null : lines.map(writeLine),
    cost: usdLiteral(record.cost),
    rate: record.rate,
    hold: usdLiteral(record.hold),
    charge: usdLiteral(record.charge),
    cached: record.usageSource === 'cache',
    saved: usdLiteral(record.saved),
    warnings: record.warnings,
    app: record.labels?.app ?? null,
    metadata: { ...record.labels?.metadata },
    labels_cut: record.labels?.isCut ?? false,
    timings: isDetailed ? { first_byte_ms: record.firstByteMs, total_ms: record.durationMs } : null,
    request_bytes: isDetailed ? record.requestBytes : null,
    response_bytes: isDetailed ? record.responseBytes : null,
  };
}

/** In OpenAI's words, as in the answer; `native_finish_reason` has the provider's own. */
function finishReason(word: string | null): string | null {
  if (word === null) return null;
  const native = { word, native: null, stopSequence: null };
  if (isFailure(native)) return 'error';
  return writeFinish(readFinish(native, { sawCall: /^(tool|function)_/.test(word), sawRefusal: false }).reason);
}

/** Own credentials come first, so if the last candidate was one, all were. */
function writeAttempt(attempt: Attempt, isByok: boolean): Readonly<Record<string, unknown>> {
  return {
    provider_name: attempt.provider,
    model_permaslug: attempt.upstreamModel,
    endpoint_id: `${attempt.provider}/${attempt.upstreamModel}`,
    is_byok: isByok,
    status: attempt.status,
    error_code: attempt.error,
    latency: attempt.durationMs,
  };
}

function writeLine({ what, count, price, cost }: CostLine): Readonly<Record<string, unknown>> {
  return { what, count, price: formatPrice(price), cost: JSON.rawJSON(formatPrice(cost)) };
}

/** Rounds away meaningless digits of differences of fractional milliseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
