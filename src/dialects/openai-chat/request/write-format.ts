/** Writes the output format: https://platform.openai.com/docs/guides/structured-outputs */
import type { OutputFormat } from '../../../chat/request.ts';
import { writtenStrict } from '../../kit/request/strict-schema.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './cache-marks.ts';

/** In the catalogue, `response_format` means any JSON, `structured_outputs` JSON with a schema. */
export function writeFormat(
  format: OutputFormat | null,
  target: DialectTarget,
  warnings: Set<string>,
): Written | undefined {
  if (format === null) return undefined;
  const takes = (name: string): boolean => target.parameters === null || target.parameters.has(name);
  if (format.type === 'json_schema' && takes('structured_outputs')) return writeSchema(format, warnings);
  if (!takes('response_format')) {
    warnings.add('response_format was left out, because this model does not accept it');
    return undefined;
  }
  if (format.type === 'json_schema') {
    warnings.add('a schema of the answer is not supported by this model; it is asked for JSON only');
  }
  return { type: 'json_object' };
}

function writeSchema(format: Extract<OutputFormat, { readonly type: 'json_schema' }>, warnings: Set<string>): Written {
  const { name, description, schema } = format;
  const strict = writtenStrict(format.strict, schema, 'the schema of the answer', warnings);
  return {
    type: 'json_schema',
    // The name is required and has no counterpart elsewhere.
    json_schema: { name: name ?? 'output', description: description ?? undefined, schema, strict },
  };
}
