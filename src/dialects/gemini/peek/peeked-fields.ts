/**
 * The fields of a request that are read in place, each in Google's two spellings. Readers accept no others, so that the spelling of each is
 * checked.
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { bothSpellings, snakeOf, twice } from '../field-names.ts';

const top = [
  'contents',
  'systemInstruction',
  'tools',
  'generationConfig',
  'generateContentRequest',
  'model',
  'content',
  'requests',
] as const;
/** In `generationConfig`. */
const settings = [
  ...(['maxOutputTokens', 'candidateCount', 'responseModalities', 'responseMimeType'] as const),
  ...(['responseSchema', 'responseJsonSchema', 'responseFormat'] as const),
];

/** At the top level. */
export const peekedFields: readonly string[] = bothSpellings(top);
/** In `generationConfig`, in a blob or a file of a part, and in a tool. */
export const peekedInside: readonly string[] = bothSpellings([
  ...settings,
  ...['data', 'mimeType', 'functionDeclarations', 'computerUse', 'routingConfig', 'modelSelectionConfig'],
  ...['modelConfig', 'delivery'],
]);

export type PeekedField = (typeof top)[number];
export type PeekedSetting = (typeof settings)[number];

/** The field in either spelling; null if it is absent or `null`. Throws `GatewayError` 400 if it is there in both. */
export function present(document: JsonDocument, name: PeekedField | PeekedSetting, path = ''): JsonField | null {
  const snake = snakeOf(name);
  const field = sent(document, name);
  if (snake === name) return field;
  const other = sent(document, snake);
  if (field !== null && other !== null) throw twice(name, path);
  return field ?? other;
}

function sent({ fields }: JsonDocument, name: string): JsonField | null {
  const field = fields.get(name);
  return field === undefined || field.type === 'null' ? null : field;
}
