/** A tool call's arguments, which are a model's own words: mostly a JSON object, now and then something else. */
import type { JsonObject } from '../chat/request.ts';
import { isExact, parseExactly, surveyNumbers } from '../wire/exact-numbers.ts';
import { isShallow } from '../wire/json-depth.ts';

/**
 * The object that this text is, with the digits of its numbers. Text that is none, or that nests deeper than a request
 * may, stays the text it is, under `_raw`: then nothing is lost, and nobody walks through it.
 */
export function toolInput(text: string): JsonObject {
  if (text.trim() === '') return {};
  const value = parsed(text);
  return isInput(value) && isShallow(value) ? value : { _raw: text };
}

/** Null where it is no JSON, or holds long numbers among too many values to keep their digits. */
function parsed(text: string): unknown {
  const survey = surveyNumbers(Buffer.from(text));
  if (survey === 'too_many') return null;
  try {
    const value: unknown = JSON.parse(text);
    return survey === 'long' && isShallow(value) ? parseExactly(text) : value;
  } catch {
    // Not swallowed: the caller of this keeps the text.
    return null;
  }
}

function isInput(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExact(value);
}
