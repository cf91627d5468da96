/** Reads what a request says about its caller: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/projects.locations.endpoints/generateContent */
import { asObject } from '../../../core/json-object.ts';
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import type { CallerLabels } from '../../interface/caller-labels.ts';

/** Null if it says nothing. What is longer than any real labels is not read. */
export function readLabels(document: JsonDocument): CallerLabels | null {
  const field = document.fields.get('labels');
  if (field === undefined || field.type === 'null') return null;
  if (field.valueEnd - field.valueStart > LABELS_BYTES_MAX) return { user: null, metadata: [], isCut: true };
  const labels = asObject(readValue(document, field)) ?? {};
  const pairs = Object.entries(labels).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return { user: null, metadata: pairs.slice(0, PAIRS_MAX + 1), isCut: pairs.length > PAIRS_MAX };
}

const LABELS_BYTES_MAX = 16 * 1024;
/** As many as a record has; one more is returned to show that there were more. */
const PAIRS_MAX = 16;
