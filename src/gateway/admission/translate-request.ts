/**
 * The translate lane, for requests: from the caller's format through the neutral form into the provider's. Only the dialects
 * know the formats.
 */
import { largestMedia } from '../../chat/largest-media.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import { type DialectName, isRelayDialect } from '../../dialects/index.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Note } from '../../routing/reason.ts';
import { parseAhead } from '../../wire/exact-numbers.ts';
import { allocateScratch } from '../../wire/json-write.ts';
import type { Call } from '../call.ts';
import { type MemoryBudget, memoryOf, treeBytes, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { type ParseLimits, refuseTooManyValues, refuseTooMuchText } from '../capacity/parse-limits.ts';
import { isLarge, letOthersRun } from '../let-others-run.ts';
import type { Arrived, Routed, Translated, Understood } from '../phases.ts';
import { Translation } from './translation.ts';

/** Whether the call's request was read into the neutral form. */
export function isTranslated<Known extends Routed>(call: Known): call is Known & Translated {
  return call.translation !== null;
}

/** Whether the candidate gets the caller's own bytes; otherwise the request is translated for it. */
export function isRelayed({ dialect, operation }: Pick<Call, 'dialect' | 'operation'>, { target }: Candidate): boolean {
  const spoken: readonly DialectName[] = target.dialects;
  return isRelayDialect(dialect) && (!operation.isTranslated || spoken.includes(dialect.name));
}

export interface TranslatePorts {
  readonly limits: ParseLimits;
  readonly memory: MemoryBudget;
}

/** Writing a request takes as long as the request is large, so only as many are written as a call may try, and a few that fail. */
export const WRITTEN_MAX = 6;

/**
 * Reads the request and writes it for the call's first candidate, so that a request that cannot be expressed is refused, and its
 * new length is known, before money is held. A candidate whose format cannot express it is left out, and given to `note`, if there is
 * another and `left` is not used up: the number of candidates for which it may still be written. Null if that is done synchronously. Throws
 * `GatewayError` 400, 413 if it exceeds what is parsed, 503 if there is no memory for it.
 */
export function translate(
  ports: TranslatePorts,
  call: Routed,
  note: Note,
  left: number = WRITTEN_MAX,
): Promise<void> | null {
  try {
    const written = translateFor(ports, call, call.candidate, null);
    return written === null || call.candidates.length === 1
      ? written
      : written.catch(async (error) => {
          await translateForNext(ports, call, error, note, left - 1);
        });
  } catch (error) {
    return translateForNext(ports, call, error, note, left - 1);
  }
}

/** Throws `error` if no other candidate can be tried instead. */
function translateForNext(
  ports: TranslatePorts,
  call: Routed,
  error: unknown,
  note: Note,
  left: number,
): Promise<void> | null {
  const others = call.candidates.slice(1);
  const candidates = left > 0 ? others : others.filter((candidate) => isRelayed(call, candidate));
  const isInexpressible = error instanceof GatewayError && error.status === 400;
  if (!isInexpressible || candidates.length === 0) throw error;
  const inexpressible = call.candidate;
  beginWith(call, candidates);
  try {
    const written = isRelayed(call, call.candidate) ? null : translate(ports, call, note, left);
    note(inexpressible, 'cannot_express');
    return written;
  } catch {
    throw error;
  }
}

/** Makes these the call's candidates; there is at least one. */
export function beginWith(call: Routed, candidates: readonly Candidate[]): void {
  const [first] = candidates;
  assert(first !== undefined, 'a call that is not refused has a candidate');
  call.candidates = candidates;
  call.candidate = first;
  call.model = first.model;
  call.target = first.target;
}

/**
 * Writes the request for a candidate that it is translated for, if it is not written for it with this cap, which the bank has set; reads it
 * before, if no earlier candidate needed that. Null if that is done synchronously. Throws `GatewayError` like `translate`.
 */
export function translateFor(
  ports: TranslatePorts,
  call: Routed,
  candidate: Candidate,
  outputCap: number | null,
): Promise<void> | null {
  const { inbound } = call;
  if (call.translation === null) {
    boundReading(ports, call);
    if (isLarge(inbound.document)) return translateInTurns(call, candidate, outputCap);
    translationOf(call, call.dialect.readRequest(call.inbound));
  }
  const { translation } = call;
  assert(translation !== null, 'the request was read');
  if (translation.isFor(candidate, outputCap)) return null;
  if (isLarge(inbound.document)) return writeInTurns(call, translation, candidate, outputCap);
  translation.writtenFor(candidate, outputCap);
  return null;
}

function translationOf(call: Routed, request: ChatRequest): Translation {
  const translation = new Translation(request, call);
  call.translation = translation;
  return translation;
}

async function translateInTurns(call: Routed, candidate: Candidate, outputCap: number | null): Promise<void> {
  const translation = translationOf(call, await readInTurns(call));
  await writeInTurns(call, translation, candidate, outputCap);
}

async function writeInTurns(
  call: Understood,
  translation: Translation,
  candidate: Candidate,
  outputCap: number | null,
): Promise<void> {
  translation.writeValue(candidate, outputCap);
  await letOthersRun(call);
  const scratch = allocateScratch(call.inbound.document.bytes.length, largestMedia(translation.request));
  if (scratch !== null) await letOthersRun(call);
  translation.writtenFor(candidate, outputCap, scratch);
  await letOthersRun(call);
  translation.boundRequest(call.peek, candidate, outputCap);
  // The next step begins to send it.
  await letOthersRun(call);
}

/**
 * Before a request is read into objects: throws `GatewayError` 413 if it exceeds what is parsed, and reserves the memory that
 * its objects and the rewritten request will take; 413 or 503 if there is not enough.
 */
export function boundReading({ limits, memory }: TranslatePorts, call: Arrived): void {
  const { document } = call.inbound;
  refuseTooManyValues(document, limits);
  const mediaBytes = refuseTooMuchText(document, limits);
  if (document.bytes.length > UNCOUNTED_BYTES) memoryOf(call, memory).take(treeBytes(document, mediaBytes));
}

/** Reads a request into the neutral form: a large one is parsed in one turn and read in another. Throws `GatewayError` 400. */
export async function readInTurns(call: Arrived): Promise<ChatRequest> {
  const { document } = call.inbound;
  if (isLarge(document)) {
    await letOthersRun(call);
    parseAhead(document);
    await letOthersRun(call);
  }
  const request = call.dialect.readRequest(call.inbound);
  if (isLarge(document)) await letOthersRun(call);
  return request;
}
