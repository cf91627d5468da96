/** After the last byte: the record, one log line, the metrics. Nothing here can fail a call. */

import type { CaptureRecorder } from '../../capture/capture-recorder.ts';
import { type Clock, reportedMs } from '../../core/clock.ts';
import { NO_MONEY } from '../../core/money.ts';
import { completionTokens, promptTokens } from '../../core/usage.ts';
import type { Limiter } from '../../limits/limiter.ts';
import type { RecordStore } from '../../stats/ports.ts';
import type { CallRecord } from '../../stats/record.ts';
import type { Refusals } from '../../stats/refusals.ts';
import type { CallEntry } from '../../telemetry/call-log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { ClientAddress } from '../arrival/client-address.ts';
import type { Call } from '../call.ts';
import type { Settled } from '../phases.ts';
import { callLabels } from './call-labels.ts';
import { type GuardPorts, guarded } from './guarded.ts';

export interface ConcludePorts extends GuardPorts {
  readonly clock: Clock;
  readonly limiter: Pick<Limiter, 'correct'>;
  readonly records: Pick<RecordStore, 'append'>;
  /** Stores the bodies of calls whose account allows it. */
  readonly captures: Pick<CaptureRecorder, 'keep'>;
  /** Requests that were refused before they became calls. */
  readonly refusals: Pick<Refusals, 'note'>;
  readonly metrics: Pick<Metrics, 'callFinished' | 'cacheAsked'>;
  readonly logCall: (entry: CallEntry) => void;
  readonly clientAddress: ClientAddress;
}

export function concludeCall(ports: ConcludePorts, call: Call): void {
  call.endedAt = ports.clock.monotonic();
  if (call.ticket !== null) guarded(ports, call, correctLimits);
  if (isSettled(call)) {
    guarded(ports, call, appendRecord);
    if (call.capture !== null) guarded(ports, call, keepCapture);
    guarded(ports, call, countCall);
  } else guarded(ports, call, noteRefusal);
  guarded(ports, call, logCall);
}

function correctLimits({ limiter }: ConcludePorts, call: Call): void {
  if (call.ticket !== null) limiter.correct(call.ticket, tokensOf(call));
}

function appendRecord({ records }: ConcludePorts, call: Settled): void {
  records.append(recordOf(call));
}

function keepCapture({ captures }: ConcludePorts, { capture }: Settled): void {
  if (capture !== null) captures.keep(capture);
}

function countCall({ metrics }: ConcludePorts, call: Settled): void {
  const { caching, settlement } = call;
  if (caching !== null) metrics.cacheAsked(caching.answer === null ? 'miss' : 'hit');
  metrics.callFinished({
    dialect: call.dialect.name,
    provider: settlement.provider,
    model: settlement.model,
    ending: settlement.ending,
    status: call.status,
    errorCode: call.errorCode,
    durationMs: durationMs(call),
    firstByteMs: firstByteMs(call),
    inputTokens: promptTokens(settlement.usage),
    outputTokens: completionTokens(settlement.usage),
    costUsd: Number(settlement.cost ?? NO_MONEY) / 1e9,
  });
}

function durationMs({ startedAt, endedAt }: Call): number {
  return reportedMs(endedAt - startedAt);
}

/** From the call's start; null if the provider sent nothing. */
function firstByteMs({ startedAt, firstByteAt }: Call): number | null {
  return firstByteAt === 0 ? null : reportedMs(firstByteAt - startedAt);
}

function isSettled(call: Call): call is Settled {
  return call.settlement !== null;
}

/** Notes a refusal with a valid key: a request that is refused before it becomes a call has no record. */
function noteRefusal({ refusals, clock }: ConcludePorts, call: Call): void {
  const { key, errorCode, status } = call;
  if (key === null || errorCode === null || status < 400) return;
  refusals.note({
    at: clock.now(),
    accountId: key.accountId,
    projectId: key.projectId,
    keyId: key.id,
    model: call.model?.id ?? askedFor(call),
    status,
    code: errorCode,
    requestId: call.requestId,
  });
}

function tokensOf({ settlement }: Call): number {
  return settlement === null ? 0 : promptTokens(settlement.usage) + completionTokens(settlement.usage);
}

function recordOf(call: Settled): CallRecord {
  const { settlement, peek, meter } = call;
  // Field by field: an object that is spread and then grows costs several times as much memory.
  return {
    asked: peek.model === settlement.model ? null : askedFor(call),
    callId: settlement.callId,
    admittedAt: settlement.admittedAt,
    accountId: settlement.accountId,
    projectId: settlement.projectId,
    keyId: settlement.keyId,
    operation: settlement.operation,
    model: settlement.model,
    provider: settlement.provider,
    usage: settlement.usage,
    usageSource: settlement.usageSource,
    priceVersion: settlement.priceVersion,
    rate: settlement.rate,
    ownCredential: settlement.ownCredential,
    cost: settlement.cost,
    hold: settlement.hold,
    charge: settlement.charge,
    fault: settlement.fault,
    variance: settlement.variance,
    nodeLoss: settlement.nodeLoss,
    saved: settlement.saved,
    ending: settlement.ending,
    dialect: call.dialect.name,
    upstreamDialect: call.upstreamDialect,
    upstreamId: unlessEcho(call, meter?.upstreamId, 'answer id', ID_LENGTH_MAX),
    streamed: peek.stream,
    status: call.status,
    errorCode: call.errorCode,
    finishReason: unlessEcho(call, meter?.finishReason, 'finish reason', REASON_LENGTH_MAX),
    attempts: call.attempts,
    warnings: call.warnings,
    firstByteMs: firstByteMs(call),
    durationMs: durationMs(call),
    requestBytes: peek.bodyBytes,
    responseBytes: call.responseBytes,
    labels: callLabels(call.dialect, call.inbound),
  };
}

/** Shorter than what dialects cut to: a longer text may be cut, and contain part of a credential. */
const ID_LENGTH_MAX = 255;
const REASON_LENGTH_MAX = 63;

/** The provider's own text, unless it repeats the credential. */
function unlessEcho({ echo }: Call, word: string | null | undefined, where: string, lengthMax: number): string | null {
  if (word === null || word === undefined || echo?.isIn(word, where) === true) return null;
  return word.length > lengthMax ? null : word;
}

function logCall(ports: ConcludePorts, call: Call): void {
  const { settlement } = call;
  ports.logCall({
    request: call.requestId,
    client: ports.clientAddress(call.request),
    keyId: call.key?.id ?? null,
    dialect: call.dialect.name,
    model: call.model?.id ?? askedFor(call),
    provider: settlement?.provider ?? null,
    status: call.status,
    ending: call.ending,
    error: call.errorCode,
    streamed: call.peek?.stream ?? null,
    durationMs: durationMs(call),
    firstByteMs: firstByteMs(call),
    tokensIn: settlement === null ? null : promptTokens(settlement.usage),
    tokensOut: settlement === null ? null : completionTokens(settlement.usage),
    costNano: settlement?.cost ?? null,
    attempts: call.attempts.length,
    connectionError: call.connectionError,
  });
}

/** A log line shows at most this much of the caller's model name. */
const ASKED_CHARACTERS_MAX = 128;
/**
 * Characters that a terminal or log reader might interpret: control and format characters, line breaks, unpaired surrogates.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The model as the caller wrote it, if it is unknown; null if the request was not read. */
function askedFor({ peek }: Call): string | null {
  if (peek === null) return null;
  const start = peek.model.slice(0, ASKED_CHARACTERS_MAX);
  const shown = start.replace(UNPRINTABLE, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`);
  if (shown.length <= ASKED_CHARACTERS_MAX && peek.model.length <= ASKED_CHARACTERS_MAX) return shown;
  return `${shown.slice(0, ASKED_CHARACTERS_MAX - 1)}…`;
}
