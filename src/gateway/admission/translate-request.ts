/**
 * The translate lane, for requests: from the caller's format through the neutral form into the provider's. Only the dialects
 * know the formats.
 */
import { largestMedia } from '../../chat/largest-media.ts';
import type { ChatRequest } from '../../chat/request.ts';
import { type DialectName, isRelayDialect } from '../../dialects/index.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { parseAhead } from '../../wire/exact-numbers.ts';
import { allocateScratch } from '../../wire/json-write.ts';
import { type MemoryBudget, memoryOf, treeBytes, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { type ParseLimits, refuseTooManyValues, refuseTooMuchText } from '../capacity/parse-limits.ts';
import { isLarge, letOthersRun } from '../let-others-run.ts';
import type { Admitted, Arrived, Routed, Translated, Understood } from '../phases.ts';
import { Translation } from './translation.ts';

/** Whether the call's request was read into the neutral form. */
export function isTranslated<Known extends Routed>(call: Known): call is Known & Translated {
  return call.translation !== null;
}

/** Whether the call's targets speak another format than its caller, or one that cannot be relayed. */
export function needsTranslation({ dialect, target }: Routed): boolean {
  const spoken: readonly DialectName[] = target.dialects;
  return !isRelayDialect(dialect) || !spoken.includes(dialect.name);
}

export interface TranslatePorts {
  readonly limits: ParseLimits;
  readonly memory: MemoryBudget;
}

/**
 * Reads the request and writes it for the call's first candidate, so that a request that cannot be expressed is refused, and its
 * new length is known, before money is held. Null if that is done synchronously. Throws `GatewayError` 400, 413 if it exceeds
 * what is parsed, 503 if there is no memory for it.
 */
export function translate(ports: TranslatePorts, call: Routed): Promise<void> | null {
  boundReading(ports, call);
  if (isLarge(call.inbound.document)) return translateInTurns(call);
  translationOf(call, call.dialect.readRequest(call.inbound)).writtenFor(call.candidate);
  return null;
}

/**
 * Writes the request of a translated call for a candidate, if it is not written for it with the cap that the bank has set. Null if that is
 * done synchronously. Throws `GatewayError` 400 if the target's format cannot express the request.
 */
export function translateFor(call: Admitted & Translated, candidate: Candidate): Promise<void> | null {
  const { inbound, translation, hold } = call;
  if (translation.isFor(candidate, hold.outputCap)) return null;
  if (isLarge(inbound.document)) return writeInTurns(call, translation, candidate, hold.outputCap);
  translation.writtenFor(candidate, hold.outputCap);
  return null;
}

function translationOf(call: Routed, request: ChatRequest): Translation {
  const translation = new Translation(request, call);
  call.translation = translation;
  return translation;
}

async function translateInTurns(call: Routed): Promise<void> {
  const translation = translationOf(call, await readInTurns(call));
  await writeInTurns(call, translation, call.candidate, null);
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
