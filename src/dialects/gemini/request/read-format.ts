/** The form of the answer that a caller wants: https://ai.google.dev/gemini-api/docs/structured-output */
import type { JsonObject, OutputFormat } from '../../../chat/request.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { isAbsent, readObject, readTextOrNull } from '../../kit/request/request-values.ts';
import { fieldOf } from '../field-names.ts';
import { readSchema } from './read-schema.ts';

/** Null for plain text. Throws `GatewayError` 400 for a form that other vendors do not have. */
export function readFormat(settings: JsonObject): OutputFormat | null {
  const type = readTextOrNull(fieldOf(settings, 'responseMimeType', PATH), `${PATH}.responseMimeType`) ?? '';
  const schema = fieldOf(settings, 'responseSchema', PATH);
  const jsonSchema = fieldOf(settings, 'responseJsonSchema', PATH);
  if (!isAbsent(fieldOf(settings, 'responseFormat', PATH)))
    throw unsupported(`${PATH}.responseFormat`, `Send "${PATH}.responseJsonSchema": this model takes no other form.`);
  if (!isAbsent(schema) && !isAbsent(jsonSchema))
    throw invalid(PATH, `"${PATH}" must have "responseSchema" or "responseJsonSchema", not both.`);
  const isJson = type === 'application/json';
  if (!isJson && type !== '' && type !== 'text/plain')
    throw unsupported(`${PATH}.responseMimeType`, 'This model answers in text or JSON only.');
  if (!isAbsent(jsonSchema)) return schemaFormat(readObject(jsonSchema, `${PATH}.responseJsonSchema`), isJson);
  if (!isAbsent(schema)) return schemaFormat(readSchema(readObject(schema, `${PATH}.responseSchema`)), isJson);
  return isJson ? { type: 'json_object' } : null;
}

const PATH = 'generationConfig';

/** Google always keeps to the schema. */
function schemaFormat(schema: JsonObject, isJson: boolean): OutputFormat {
  if (!isJson)
    throw invalid(`${PATH}.responseMimeType`, `A schema needs "${PATH}.responseMimeType" to be "application/json".`);
  return { type: 'json_schema', name: null, description: null, schema, strict: true };
}
