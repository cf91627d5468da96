/** What an answer, or a chunk of a stream, says: the first candidate, or why the prompt was refused. */
import { asArray, asObject, asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import type { BlockOrder } from './block-order.ts';
import { findBlock, findFinish, type ReportedFinish } from './finish-reason.ts';
import { OTHER_CANDIDATES } from './losses.ts';

/** Adds its parts to the blocks. Returns its reason; null if it goes on. Throws `bad_gateway` for parts that cannot be read. */
export function readCandidate(answer: JsonObject, blocks: BlockOrder): ReportedFinish | null {
  const responseId = asText(answer['responseId']);
  if (responseId !== null) blocks.identify(responseId);
  const candidates = objectsOf(answer['candidates']);
  const candidate = candidates.find(({ index }) => index === undefined || index === 0) ?? null;
  // One is read; others were not asked for.
  if (candidates.length > (candidate === null ? 0 : 1)) blocks.warn(OTHER_CANDIDATES);
  if (candidate === null) return findBlock(answer);
  for (const item of asArray(asObject(candidate['content'])?.['parts'])) {
    const part = asObject(item);
    if (part !== null) blocks.add(part);
  }
  blocks.addRest(candidate);
  return findFinish(candidate) ?? findBlock(answer);
}

/** The object, also as the only item of an array, as Google's compatible API sends errors. */
export function answerObject(value: unknown): JsonObject | null {
  return asObject(Array.isArray(value) ? value[0] : value);
}

export const ID_LENGTH_MAX = 256;
