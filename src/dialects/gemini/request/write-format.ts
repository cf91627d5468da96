/** Writes the output format: https://ai.google.dev/gemini-api/docs/structured-output */
import type { OutputFormat } from '../../../chat/request.ts';
import { describedSchema, formatInstruction } from '../../kit/request/format-instruction.ts';
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
    return { fields: {}, instruction: formatInstruction(format) };
  }
  const takes = (name: string): boolean => target.parameters === null || target.parameters.has(name);
  if (format.type === 'json_schema' && takes('structured_outputs')) {
    const schema = describedSchema(format.schema, format.description);
    const written = target.quirks.jsonSchema
      ? { responseJsonSchema: schema }
      : { responseSchema: googleSchema(schema, 'response_format', warnings) };
    return { fields: { responseMimeType: JSON_TYPE, ...written }, instruction: null };
  }
  if (format.type === 'json_schema')
    warnings.add('this model cannot enforce a JSON schema; it was sent as an instruction');
  if (!takes('response_format')) {
    if (format.type === 'json_object') warnings.add('json_object was sent as an instruction to the model');
    return { fields: {}, instruction: formatInstruction(format) };
  }
  return {
    fields: { responseMimeType: JSON_TYPE },
    instruction: format.type === 'json_object' ? null : formatInstruction(format),
  };
}

const NOTHING: WrittenFormat = { fields: {}, instruction: null };
const JSON_TYPE = 'application/json';
