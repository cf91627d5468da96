/** Writes the output format: https://ai.google.dev/gemini-api/docs/structured-output */
import type { OutputFormat } from '../../../chat/request.ts';
import type { DialectTarget } from '../quirks.ts';
import { googleSchema } from './google-schema.ts';
import type { Written } from './written.ts';

/** Fields of `generationConfig`, or an instruction for a model that cannot have them. */
export interface WrittenFormat {
  readonly fields: Written;
  readonly instruction: string | null;
}

/** Throws `GatewayError` 400 for a schema that must be rewritten and cannot be. */
export function writeFormat(
  format: OutputFormat | null,
  hasTools: boolean,
  target: DialectTarget,
  warnings: Set<string>,
): WrittenFormat {
  if (format === null) return NOTHING;
  if (hasTools && !target.quirks.formatWithTools) {
    warnings.add('this model takes no answer format together with tools; it was sent as an instruction');
    return { fields: {}, instruction: instructionOf(format) };
  }
  const takes = (name: string): boolean => target.parameters === null || target.parameters.has(name);
  if (format.type === 'json_schema' && takes('structured_outputs')) {
    const schema = described(format);
    const written = target.quirks.jsonSchema
      ? { responseJsonSchema: schema }
      : { responseSchema: googleSchema(schema, 'response_format', warnings) };
    return { fields: { responseMimeType: JSON_TYPE, ...written }, instruction: null };
  }
  if (format.type === 'json_schema')
    warnings.add('this model cannot enforce a JSON schema; it was sent as an instruction');
  if (!takes('response_format')) {
    if (format.type === 'json_object') warnings.add('json_object was sent as an instruction to the model');
    return { fields: {}, instruction: instructionOf(format) };
  }
  return {
    fields: { responseMimeType: JSON_TYPE },
    instruction: format.type === 'json_object' ? null : instructionOf(format),
  };
}

const NOTHING: WrittenFormat = { fields: {}, instruction: null };
const JSON_TYPE = 'application/json';
const ONLY_JSON = 'Answer with one JSON object and nothing else: no words before or after it, no code fence.';

type SchemaFormat = Extract<OutputFormat, { readonly type: 'json_schema' }>;

/** The format has no other field for a description than the schema's. */
function described({ schema, description }: SchemaFormat): SchemaFormat['schema'] {
  if (description === null) return schema;
  const own = typeof schema['description'] === 'string' ? `\n\n${schema['description']}` : '';
  return { ...schema, description: `${description}${own}` };
}

function instructionOf(format: OutputFormat): string {
  if (format.type === 'json_object') return ONLY_JSON;
  const purpose = format.description === null ? '' : `\nWhat it is for: ${format.description}`;
  return `${ONLY_JSON} It must be valid against this JSON Schema:\n${JSON.stringify(format.schema)}${purpose}`;
}
