/** Writes `text`, the output format and the verbosity: https://platform.openai.com/docs/guides/structured-outputs */
import type { ChatRequest, OutputFormat } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { writtenStrict } from '../../kit/request/strict-schema.ts';
import { lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';

export function writeFormat(
  request: ChatRequest,
  target: DialectTarget,
  warnings: Set<string>,
): JsonObject | undefined {
  const format = writtenFormat(request.format, target, warnings);
  const verbosity = writtenVerbosity(request.verbosity, target, warnings);
  return format === undefined && verbosity === undefined ? undefined : { format, verbosity };
}

function writtenVerbosity(verbosity: string | null, target: DialectTarget, warnings: Set<string>): string | undefined {
  if (verbosity === null) return undefined;
  if (takesParameter(target, 'verbosity')) return verbosity;
  warnings.add(lossOfParameter(target, 'verbosity'));
  return undefined;
}

/** In the catalogue, `response_format` means any JSON, `structured_outputs` JSON with a schema. */
function writtenFormat(
  format: OutputFormat | null,
  target: DialectTarget,
  warnings: Set<string>,
): JsonObject | undefined {
  if (format === null) return undefined;
  const takes = (name: string): boolean => target.parameters === null || target.parameters.has(name);
  if (format.type === 'json_schema' && takes('structured_outputs')) {
    const { name, description, schema } = format;
    const strict = writtenStrict(format.strict, schema, 'the schema of the answer', warnings);
    // The name is required and has no counterpart elsewhere.
    return {
      type: 'json_schema',
      name: name ?? 'output',
      description: description ?? undefined,
      schema,
      strict: strict ?? false,
    };
  }
  if (!takes('response_format')) {
    warnings.add('response_format was left out, because this model does not accept it');
    return undefined;
  }
  if (format.type === 'json_schema') {
    warnings.add('a schema of the answer is not supported by this model; it is asked for JSON only');
  }
  return { type: 'json_object' };
}
