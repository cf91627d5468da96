/** An output format in words, for models and formats that have no field for it. */
import type { JsonObject, OutputFormat } from '../../../chat/request.ts';

/** The instruction that is sent instead of the format. */
export function formatInstruction(format: OutputFormat): string {
  if (format.type === 'json_object') return ONLY_JSON;
  const { schema, description } = format;
  const purpose = description === null ? '' : `\nWhat it is for: ${description}`;
  return `${ONLY_JSON} It must be valid against this JSON Schema:\n${JSON.stringify(schema)}${purpose}`;
}

/** The schema with what its answer is for, for formats that have no other field for that than the schema's own description. */
export function describedSchema(schema: JsonObject, purpose: string | null): JsonObject {
  if (purpose === null) return schema;
  const own = typeof schema['description'] === 'string' ? `\n\n${schema['description']}` : '';
  return { ...schema, description: `${purpose}${own}` };
}

const ONLY_JSON = 'Answer with one JSON object and nothing else: no words before or after it, no code fence.';
