/** Writes the output format: https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs */
import type { OutputFormat } from '../../../chat/request.ts';
import type { GatewayError } from '../../../core/errors.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { answerSchema, isExpressible } from '../../kit/request/answer-schema.ts';
import { describedSchema, formatInstruction } from '../../kit/request/format-instruction.ts';
import type { DialectTarget } from '../quirks.ts';
import type { WireBlock } from './cache-marks.ts';

/** Either `output_config.format` for the API, or an instruction for the model if the API has no equivalent. */
export interface WrittenFormat {
  readonly format: WireBlock | null;
  readonly instruction: string | null;
}

/** Throws `GatewayError` 400 for a strict schema that the API cannot express. */
export function writeFormat(format: OutputFormat | null, target: DialectTarget, warnings: Set<string>): WrittenFormat {
  if (format === null) return { format: null, instruction: null };
  if (format.type === 'json_object') {
    warnings.add('json_object was sent as an instruction to the model');
    return { format: null, instruction: formatInstruction(format) };
  }
  if (target.parameters === null || target.parameters.has('structured_outputs')) {
    if (isExpressible(format.schema)) {
      const schema = describedSchema(answerSchema(format.schema, warnings), format.description);
      return { format: { type: 'json_schema', schema }, instruction: null };
    }
    if (format.strict === true) throw inexpressible();
    warnings.add('a JSON schema with objects of arbitrary property names was sent as an instruction to the model');
  } else warnings.add('this model cannot enforce a JSON schema; it was sent as an instruction');
  return { format: null, instruction: formatInstruction(format) };
}

function inexpressible(): GatewayError {
  return unsupported(
    'response_format.json_schema.schema',
    'This provider cannot enforce a strict schema with objects of arbitrary property names; ' +
      'name the properties, or send the schema without "strict".',
  );
}
