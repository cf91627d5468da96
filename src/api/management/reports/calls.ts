/** Handlers for calls: list, follow live, read one, and read or delete its stored bodies. */

import type { LedgerStore, PriceStore } from '../../../billing/ports.ts';
import type { CaptureReader } from '../../../capture/ports.ts';
import { isoTime } from '../../../core/calendar.ts';
import { readLabelFilter } from '../../../core/call-labels.ts';
import { reportedMs } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import {
  type AccountId,
  type CallId,
  generationId,
  keyId,
  parseCallId,
  projectId,
  requestId,
} from '../../../core/ids.ts';
import { NO_MONEY, parseUsd, usdLiteral } from '../../../core/money.ts';
import { completionTokens, promptTokens } from '../../../core/usage.ts';
import type { CallFilter, CallSummary } from '../../../stats/call-list.ts';
import type { LiveCalls, LiveNews } from '../../../stats/live-calls.ts';
import type { CallRecord, CallsExport, StatsReader } from '../../../stats/ports.ts';
import { hasDetail } from '../../../stats/record.ts';
import type { Refusals } from '../../../stats/refusals.ts';
import type { callRoutes } from '../../contract/calls.ts';
import type { RouteInput } from '../../contract/route.ts';
import { EventAnswer, type Handlers, type ServerEvent, TableAnswer } from '../door/handler.ts';
import { CALL_COLUMNS, callRows } from './call-rows.ts';
import { describeLine } from './describe-line.ts';
import { type NameSources, namedKey, namedProject } from './names.ts';
import { costLines } from './price-lines.ts';

export interface CallServices extends NameSources {
  /** Includes calls that have just ended. */
  readonly stats: Pick<StatsReader, 'calls' | 'allCalls' | 'call'>;
  readonly live: Pick<LiveCalls, 'follow'>;
  readonly refusals: Pick<Refusals, 'of'>;
  /** When the server started, and refusals began to be recorded; wall time, ms. */
  readonly startedAt: number;
  readonly prices: Pick<PriceStore, 'read'>;
  readonly ledger: Pick<LedgerStore, 'chargeOf'>;
  readonly captures: CaptureReader;
  /** The node that served a call; null if that is not known, or there are not several. */
  nodeOf(call: CallId): Promise<string | null>;
}

export function callHandlers(services: CallServices): Handlers<typeof callRoutes> {
  const { stats, live, captures } = services;
  return {
    async listCalls({ account }, { query }) {
      const asked: CallsExport = {
        ...readFilter(query),
        accountId: account.id,
        fromMs: query.from === undefined ? null : Date.parse(query.from),
        toMs: query.to === undefined ? null : Date.parse(query.to),
      };
      if (query.format === 'csv')
        return new TableAnswer(CALL_COLUMNS, callRows(services, stats.allCalls(asked)), 'calls', asked);
      const before = query.cursor === undefined ? null : readCursor(query.cursor);
      const { calls, next, searchedToMs } = await stats.calls({ ...asked, before, limit: query.limit });
      return {
        data: calls.map((call) => describeCall(services, call)),
        next_cursor: next,
        searched_to: searchedToMs === null ? null : isoTime(searchedToMs),
      };
    },
    async followCalls({ account, gone }, { query }) {
      const news = live.follow({ ...readFilter(query), accountId: account.id }, gone);
      return new EventAnswer(eventsOf(services, news));
    },
    listRefusals({ account }, { query }) {
      const kept = services.refusals.of(account.id, query.key === undefined ? null : keyId(query.key));
      return {
        data: kept.map(({ at, model, status, code, requestId, ...of }) => ({
          at: isoTime(at),
          key: namedKey(services, of.keyId),
          project: namedProject(services, of.projectId),
          model,
          status,
          code,
          request_id: requestId,
        })),
        since: isoTime(services.startedAt),
      };
    },
    async readCall({ account, isOperator }, { params }) {
      const record = await findCall(services, account.id, params.call);
      // Members of accounts are not shown what the installation is made of.
      const node = isOperator ? await services.nodeOf(record.callId) : null;
      return { data: { ...(await describeWhole(services, record)), node } };
    },
    async readBodies({ account }, { params }) {
      const id = readCallId(params.call);
      const bodies = await captures.bodiesOf(account.id, id);
      if (bodies === null) throw noBodies();
      return {
        data: {
          request: bodies.request?.text ?? null,
          request_truncated: bodies.request?.isTruncated ?? false,
          response: bodies.response?.text ?? null,
          response_truncated: bodies.response?.isTruncated ?? false,
          kept_until: isoTime(bodies.keptUntil),
        },
      };
    },
    async deleteBodies(context, { params }) {
      const id = readCallId(params.call);
      if (!(await captures.deleteBodies(context.account.id, id))) throw noBodies();
      const subject = { kind: 'call', id: generationId(id), name: null };
      await context.auditDone({ action: 'bodies.delete', subject, before: null, after: null });
      return { data: { done: true } };
    },
  };
}

type Filters = RouteInput<typeof callRoutes.followCalls>['query'];

function readFilter(query: Filters): CallFilter {
  const { status } = query;
  return {
    projectId: query.project === undefined ? null : projectId(query.project),
    keyId: query.key === undefined ? null : keyId(query.key),
    model: query.model ?? null,
    provider: query.provider ?? null,
    status: status === undefined ? null : statusRange(status),
    outcome: status === 'ok' || status === 'failed' ? status : null,
    ending: query.ending ?? null,
    streamed: query.streamed === undefined ? null : query.streamed === 'true',
    minCharge: query.min_charge === undefined ? null : parseUsd(query.min_charge),
    minDurationMs: query.min_duration_ms ?? null,
    labels: readLabelFilter(query),
  };
}

/** `4xx`, or one status. */
function statusRange(status: string): CallFilter['status'] {
  const digit = Number(status[0]);
  if (/^\dxx$/.test(status)) return { from: digit * 100, to: digit * 100 + 99 };
  return /^\d{3}$/.test(status) ? { from: Number(status), to: Number(status) } : null;
}

/** Throws `GatewayError` `invalid_value`. */
function readCursor(text: string): CallId {
  const id = parseCallId(text);
  if (id === null)
    throw new GatewayError('invalid_value', {
      message: 'cursor is invalid; use the one from the previous page.',
      param: 'cursor',
    });
  return id;
}

async function* eventsOf(names: NameSources, news: AsyncIterable<LiveNews>): AsyncGenerator<ServerEvent> {
  for await (const each of news) {
    if (each.type === 'call') yield { event: 'call', data: describeCall(names, each.call) };
    else yield { event: 'missed', data: { missed: each.calls } };
  }
}

/** Throws `GatewayError` `not_found`, the same for an invalid id, an unknown call and another account's call. */
async function findCall({ stats }: CallServices, account: AccountId, text: string): Promise<CallRecord> {
  const record = await stats.call(readCallId(text));
  if (record === null || record.accountId !== account) throw noCall();
  return record;
}

function readCallId(text: string): CallId {
  const id = parseCallId(text);
  if (id === null) throw noCall();
  return id;
}

function noCall(): GatewayError {
  return new GatewayError('not_found', { message: 'The call does not exist.', param: 'call' });
}

function noBodies(): GatewayError {
  return new GatewayError('not_found', { message: 'No prompt or response is stored for this call.', param: 'call' });
}

function describeCall(names: NameSources, call: CallSummary) {
  const isDetailed = hasDetail(call);
  return {
    id: generationId(call.callId),
    at: isoTime(call.admittedAt),
    model: call.model,
    provider: call.provider,
    key: namedKey(names, call.keyId),
    project: namedProject(names, call.projectId),
    streamed: call.streamed,
    status: isDetailed ? call.status : null,
    ending: call.ending,
    error: call.errorCode,
    prompt_tokens: promptTokens(call.usage),
    completion_tokens: completionTokens(call.usage),
    charge: usdLiteral(call.charge),
    first_byte_ms: call.firstByteMs,
    duration_ms: isDetailed ? call.durationMs : null,
    has_warnings: call.warnings.length > 0,
    cached: call.usageSource === 'cache',
    user: call.labels?.user ?? null,
    app: call.labels?.app ?? null,
  };
}

async function describeWhole(services: CallServices, record: CallRecord) {
  const { callId, accountId, usage, priceVersion, cost } = record;
  const prices = priceVersion === null || cost === null ? null : await services.prices.read(priceVersion);
  const charged = await services.ledger.chargeOf(callId);
  return {
    ...describeCall(services, record),
    request_id: requestId(callId),
    asked_model: record.asked,
    operation: record.operation,
    // Empty if only the settlement of the call is left.
    dialect: record.dialect === '' ? null : record.dialect,
    upstream_dialect: record.upstreamDialect,
    upstream_id: record.upstreamId,
    finish_reason: record.finishReason,
    usage_source: record.usageSource,
    tokens: {
      input: usage.inputTokens,
      cache_read: usage.cacheReadTokens,
      cache_write: usage.cacheWriteTokens,
      cache_write_1h: usage.cacheWrite1hTokens,
      input_audio: usage.inputAudioTokens,
      output: usage.outputTokens,
      output_audio: usage.outputAudioTokens,
      cached_audio: usage.cachedAudioTokens,
      input_image: usage.inputImageTokens,
      output_image: usage.outputImageTokens,
      reasoning: usage.reasoningTokens,
      web_searches: usage.webSearches,
      file_searches: usage.fileSearches,
      code_containers: usage.codeContainers,
      units: usage.units,
    },
    price_lines: prices === null ? [] : costLines(usage, prices).map(describeLine),
    cost: usdLiteral(cost),
    rate: record.rate,
    own_credential: record.ownCredential,
    held: usdLiteral(record.hold),
    fault: usdLiteral(record.fault),
    variance: usdLiteral(record.variance),
    node_loss: usdLiteral(record.nodeLoss),
    superseded: record.isSuperseded ?? false,
    saved: usdLiteral(record.saved),
    refunded: usdLiteral(charged?.refunded ?? NO_MONEY),
    attempts: record.attempts.map((attempt) => ({
      provider: attempt.provider,
      upstream_model: attempt.upstreamModel,
      status: attempt.status,
      error: attempt.error,
      reason: attempt.reason,
      start_ms: attempt.startMs,
      end_ms: attempt.startMs === null ? null : reportedMs(attempt.startMs + attempt.durationMs),
      duration_ms: attempt.durationMs,
    })),
    warnings: [...record.warnings],
    referer: record.labels?.referer ?? null,
    metadata: { ...record.labels?.metadata },
    labels_cut: record.labels?.isCut ?? false,
    request_bytes: hasDetail(record) ? record.requestBytes : null,
    response_bytes: hasDetail(record) ? record.responseBytes : null,
    has_bodies: await services.captures.hasBodies(accountId, callId),
  };
}
