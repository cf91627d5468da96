/** Writes the output format: https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
import type { OutputFormat } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { answerSchema, isExpressible } from '../../kit/request/answer-schema.ts';
import { formatInstruction } from '../../kit/request/format-instruction.ts';
import type { DialectTarget } from '../quirks.ts';
import type { WireBlock } from './cache-points.ts';

/** Either `outputConfig.textFormat`, or an instruction for a model that has no equivalent. */
export interface WrittenFormat {
  readonly textFormat: WireBlock | null;
  readonly instruction: string | null;
}

/** Throws `GatewayError` 400 for a strict schema that the API cannot express. */
export function writeFormat(format: OutputFormat | null, target: DialectTarget, warnings: Set<string>): WrittenFormat {
  if (format === null) return { textFormat: null, instruction: null };
  if (format.type === 'json_object') {
    warnings.add('json_object was sent as an instruction to the model');
    return { textFormat: null, instruction: formatInstruction(format) };
  }
  const { name, description, schema } = format;
  const takes = target.parameters?.has('structured_outputs') ?? target.quirks.answerSchema;
  if (takes && isExpressible(schema)) {
    const jsonSchema = {
      schema: JSON.stringify(answerSchema(schema, warnings)),
      ...(name !== null && { name }),
      ...(description !== null && { description }),
    };
    return { textFormat: { type: 'json_schema', structure: { jsonSchema } }, instruction: null };
  }
  if (takes && format.strict === true) {
    throw unsupported(
      'response_format.json_schema.schema',
      'This provider cannot enforce a strict schema with objects of arbitrary property names; ' +
        'name the properties, or send the schema without "strict".',
    );
  }
  warnings.add(
    takes
      ? 'a JSON schema with objects of arbitrary property names was sent as an instruction to the model'
      : 'this model cannot enforce a JSON schema; it was sent as an instruction',
  );
  return { textFormat: null, instruction: formatInstruction(format) };
}
