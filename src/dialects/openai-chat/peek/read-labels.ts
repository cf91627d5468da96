/** Reads what a request says about its caller: https://platform.openai.com/docs/api-reference/chat/create */
import type { JsonDocument } from '../../../wire/json-document.ts';
import type { CallerLabels } from '../../interface/caller-labels.ts';
import { readCallerLabels } from '../../kit/peek/caller-labels.ts';

/** Null if it says nothing. */
export function readLabels(document: JsonDocument): CallerLabels | null {
  return readCallerLabels(document, FIELDS);
}

const FIELDS = { users: ['user', 'safety_identifier'], metadata: ['metadata'] };
