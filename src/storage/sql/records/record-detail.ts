/**
 * The fields of a record without a column, packed. A change of the order or the meaning of a
 * value requires a new version of the day file (`day-version.ts`).
 */
import type { CallLabels } from '../../../core/call-labels.ts';
import { type CallId, callIdTime, priceVersionId } from '../../../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../../core/money.ts';
import { LIST_RATE, rate } from '../../../core/rates/rate.ts';
import type { Usage } from '../../../core/usage.ts';
import type { Attempt, CallRecord } from '../../../stats/ports.ts';
import { usageSourceCodes, usageSourceOf } from '../codes.ts';
import type { PackedReader, PackedWriter } from './packed-bytes.ts';
import type { RecordNames } from './record-names.ts';

export type RecordDetail = Pick<
  CallRecord,
  | 'admittedAt'
  | 'asked'
  | 'operation'
  | 'usageSource'
  | 'priceVersion'
  | 'dialect'
  | 'upstreamDialect'
  | 'streamed'
  | 'errorCode'
  | 'finishReason'
  | 'attempts'
  | 'warnings'
  | 'requestBytes'
  | 'responseBytes'
  | 'rate'
  | 'ownCredential'
  | 'hold'
  | 'fault'
  | 'variance'
  | 'nodeLoss'
  | 'saved'
  | 'labels'
> & {
  /** The parts of prompt and completion that are not plain text tokens. */
  readonly usageParts: Omit<Usage, 'inputTokens' | 'outputTokens'>;
};

export function packDetail(record: CallRecord, names: RecordNames, packed: PackedWriter): void {
  const { usage } = record;
  packed.begin();
  packSigned(record.admittedAt - callIdTime(record.callId), packed);
  packed.count(names.idOf(record.operation));
  packed.count(usageSourceCodes[record.usageSource]);
  packed.count(record.priceVersion === null ? 0 : record.priceVersion + 1);
  packed.count(usage.cacheReadTokens);
  packed.count(usage.cacheWriteTokens);
  packed.count(usage.cacheWrite1hTokens);
  packed.count(usage.inputAudioTokens);
  packed.count(usage.outputAudioTokens);
  packed.count(usage.reasoningTokens);
  packed.count(usage.webSearches);
  packed.count(names.idOf(record.dialect));
  packName(record.upstreamDialect, names, packed);
  // Hardly any call has these, so it has no byte of its own for them.
  const usedTools = usage.fileSearches !== 0 || usage.codeContainers !== 0;
  const hasMedia = usage.cachedAudioTokens !== 0 || usage.outputImageTokens !== 0;
  const hasImages = usage.inputImageTokens !== 0;
  const hasUnits = usage.units !== 0;
  const isSaved = record.saved !== NO_MONEY;
  const hasRate = record.rate !== LIST_RATE || record.ownCredential;
  const isTimed = record.attempts.some(({ startMs }) => startMs !== null);
  packed.count(
    (hasImages ? HAS_INPUT_IMAGES : 0) +
      (hasUnits ? HAS_UNITS : 0) +
      (record.nodeLoss === NO_MONEY ? 0 : HAS_NODE_LOSS) +
      (record.streamed ? STREAMED : 0) +
      (usedTools ? USED_TOOLS : 0) +
      (hasMedia ? HAS_MEDIA : 0) +
      (isSaved ? IS_SAVED : 0) +
      (hasRate ? HAS_RATE : 0) +
      (isTimed ? HAS_TIMES : 0) +
      (record.asked === null ? 0 : HAS_ASKED),
  );
  if (usedTools) {
    packed.count(usage.fileSearches);
    packed.count(usage.codeContainers);
  }
  if (hasMedia) {
    packed.count(usage.cachedAudioTokens);
    packed.count(usage.outputImageTokens);
  }
  if (hasUnits) {
    packed.count(usage.units);
    packed.count(usage.unitLine);
  }
  if (hasImages) packed.count(usage.inputImageTokens);
  if (isSaved) packed.amount(record.saved);
  if (hasRate) {
    packed.count(record.rate);
    packed.count(record.ownCredential ? 1 : 0);
  }
  if (record.asked !== null) packed.text(record.asked);
  if (record.nodeLoss !== NO_MONEY) packed.amount(record.nodeLoss);
  packName(record.errorCode, names, packed);
  packText(record.finishReason, packed);
  packed.count(record.requestBytes);
  packed.count(record.responseBytes);
  packed.count(record.attempts.length);
  for (const attempt of record.attempts) packAttempt(attempt, isTimed, names, packed);
  packed.count(record.warnings.length);
  for (const warning of record.warnings) packed.text(warning);
  packed.amount(record.hold === null ? 0n : record.hold + 1n);
  packed.amount(record.fault);
  packed.amount(record.variance);
  packLabels(record.labels, packed);
}

/** Properties are evaluated in source order, which is the order of packing. */
export function unpackDetail(packed: PackedReader, callId: CallId, names: RecordNames): RecordDetail {
  const start = {
    admittedAt: callIdTime(callId) + unpackSigned(packed),
    operation: names.nameOf(packed.count()),
    usageSource: usageSourceOf(packed.count()),
    priceVersion: nullable(packed.count(), (count) => priceVersionId(count - 1)),
  };
  const tokens = {
    cacheReadTokens: packed.count(),
    cacheWriteTokens: packed.count(),
    cacheWrite1hTokens: packed.count(),
    inputAudioTokens: packed.count(),
    outputAudioTokens: packed.count(),
    reasoningTokens: packed.count(),
    webSearches: packed.count(),
  };
  const dialects = { dialect: names.nameOf(packed.count()), upstreamDialect: unpackName(packed, names) };
  const flags = packed.count();
  const usedTools = (flags & USED_TOOLS) !== 0;
  const hasMedia = (flags & HAS_MEDIA) !== 0;
  const hasUnits = (flags & HAS_UNITS) !== 0;
  const hasRate = (flags & HAS_RATE) !== 0;
  return {
    ...start,
    usageParts: {
      ...tokens,
      fileSearches: usedTools ? packed.count() : 0,
      codeContainers: usedTools ? packed.count() : 0,
      cachedAudioTokens: hasMedia ? packed.count() : 0,
      outputImageTokens: hasMedia ? packed.count() : 0,
      units: hasUnits ? packed.count() : 0,
      unitLine: hasUnits ? packed.count() : 0,
      inputImageTokens: (flags & HAS_INPUT_IMAGES) === 0 ? 0 : packed.count(),
    },
    saved: (flags & IS_SAVED) === 0 ? NO_MONEY : nanoUsd(packed.amount()),
    rate: hasRate ? rate(packed.count()) : LIST_RATE,
    ownCredential: hasRate && packed.count() === 1,
    asked: (flags & HAS_ASKED) === 0 ? null : packed.text(),
    nodeLoss: (flags & HAS_NODE_LOSS) === 0 ? NO_MONEY : nanoUsd(packed.amount()),
    ...dialects,
    streamed: (flags & STREAMED) !== 0,
    errorCode: unpackName(packed, names),
    finishReason: nullable(packed.count(), () => packed.text()),
    requestBytes: packed.count(),
    responseBytes: packed.count(),
    attempts: Array.from({ length: packed.count() }, () => unpackAttempt(packed, (flags & HAS_TIMES) !== 0, names)),
    warnings: Array.from({ length: packed.count() }, () => packed.text()),
    ...unpackShares(packed),
    labels: unpackLabels(packed),
  };
}

/** Flags of a record, in the order of the versions that brought them: 1, 5, 6, 7, 8, 9, 10, 11, 12. */
const STREAMED = 1;
const USED_TOOLS = 2;
const HAS_MEDIA = 4;
const IS_SAVED = 8;
/** It is charged at another rate than the list price, or was served with an own credential. */
const HAS_RATE = 16;
/** Its attempts say when they began, and why. */
const HAS_TIMES = 32;
const HAS_ASKED = 64;
const HAS_NODE_LOSS = 128;
const HAS_UNITS = 256;
const HAS_INPUT_IMAGES = 512;

/** Version 1 does not have them. */
function unpackShares(packed: PackedReader): Pick<RecordDetail, 'hold' | 'fault' | 'variance'> {
  if (packed.isAtEnd) return { hold: null, fault: NO_MONEY, variance: NO_MONEY };
  const hold = packed.amount();
  return {
    hold: hold === 0n ? null : nanoUsd(hold - 1n),
    fault: nanoUsd(packed.amount()),
    variance: nanoUsd(packed.amount()),
  };
}

/** Writes nothing without labels, as for most calls: they come last, and within them the flag whether they were cut. */
function packLabels(labels: CallLabels | null, packed: PackedWriter): void {
  if (labels === null) return;
  packText(labels.user, packed);
  packText(labels.app, packed);
  packText(labels.referer, packed);
  const metadata = Object.entries(labels.metadata);
  packed.count(metadata.length);
  for (const [name, value] of metadata) {
    packed.text(name);
    packed.text(value);
  }
  if (labels.isCut) packed.count(1);
}

function unpackLabels(packed: PackedReader): CallLabels | null {
  if (packed.isAtEnd) return null;
  return {
    user: nullable(packed.count(), () => packed.text()),
    app: nullable(packed.count(), () => packed.text()),
    referer: nullable(packed.count(), () => packed.text()),
    metadata: Object.fromEntries(Array.from({ length: packed.count() }, () => [packed.text(), packed.text()])),
    isCut: !packed.isAtEnd,
  };
}

function packAttempt(attempt: Attempt, isTimed: boolean, names: RecordNames, packed: PackedWriter): void {
  packed.count(names.idOf(attempt.provider));
  packed.count(names.idOf(attempt.upstreamModel));
  packed.count(attempt.status === null ? 0 : attempt.status + 1);
  packName(attempt.error, names, packed);
  packed.count(Math.round(attempt.durationMs * 1000));
  if (!isTimed) return;
  packed.count(attempt.startMs === null ? 0 : Math.round(attempt.startMs * 1000) + 1);
  packName(attempt.reason, names, packed);
}

function unpackAttempt(packed: PackedReader, isTimed: boolean, names: RecordNames): Attempt {
  const attempt = {
    provider: names.nameOf(packed.count()),
    upstreamModel: names.nameOf(packed.count()),
    status: nullable(packed.count(), (count) => count - 1),
    error: unpackName(packed, names),
    durationMs: packed.count() / 1000,
  };
  if (!isTimed) return { ...attempt, reason: null, startMs: null };
  return {
    ...attempt,
    startMs: nullable(packed.count(), (count) => (count - 1) / 1000),
    reason: unpackName(packed, names),
  };
}

/** Numbers of names begin at 1, so 0 represents null. */
function packName(name: string | null, names: RecordNames, packed: PackedWriter): void {
  packed.count(name === null ? 0 : names.idOf(name));
}

function unpackName(packed: PackedReader, names: RecordNames): string | null {
  return nullable(packed.count(), (id) => names.nameOf(id));
}

function packText(text: string | null, packed: PackedWriter): void {
  packed.count(text === null ? 0 : 1);
  if (text !== null) packed.text(text);
}

/** Zigzag encoding, so that small negative values are short too: 0, -1, 1, -2, … become 0, 1, 2, 3, … */
function packSigned(value: number, packed: PackedWriter): void {
  packed.count(value < 0 ? -2 * value - 1 : 2 * value);
}

function unpackSigned(packed: PackedReader): number {
  const count = packed.count();
  return count % 2 === 0 ? count / 2 : -(count + 1) / 2;
}

function nullable<Value>(count: number, read: (count: number) => Value): Value | null {
  return count === 0 ? null : read(count);
}
