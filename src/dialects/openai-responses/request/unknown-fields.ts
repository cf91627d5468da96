/** Warns of fields of a request that are not read. */
import { isObject, type JsonObject } from '../../../core/json-object.ts';
import { warnOfLeftOut } from '../../kit/request/left-out-fields.ts';

export const warnOfUnknown = warnOfLeftOut;

/** A call by a program that the provider ran, instead of the model: https://platform.openai.com/docs/guides/tools (programmatic tool calling) */
export function warnOfCaller({ caller }: JsonObject, warnings: Set<string>): void {
  if (isObject(caller) && caller['type'] !== 'direct')
    warnings.add('the caller of a tool call was left out: only the model itself calls tools here');
}

/** A word of the request, quoted if it is plain: warnings are sent in a header. */
export function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? `"${word}"` : 'of an unknown type';
}

const PLAIN_WORD = /^[\w.:-]{1,64}$/;
