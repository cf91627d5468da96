/** The form an answer is to have: https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs */
import type { OutputFormat } from '../../chat/request.ts';
import type { WriteTarget } from '../dialect.ts';
import { answerSchema } from './write-answer-schema.ts';
import type { WireBlock } from './write-cache-marks.ts';

/** What the API is told (`output_config.format`), or an instruction for the model where the API has no word for it. */
export interface WrittenFormat {
  readonly format: WireBlock | null;
  readonly instruction: string | null;
}

export function writeFormat(format: OutputFormat | null, target: WriteTarget, warnings: Set<string>): WrittenFormat {
  if (format === null) return { format: null, instruction: null };
  if (format.type === 'json_object') {
    warnings.add('json_object was sent as an instruction to the model');
    return { format: null, instruction: ONLY_JSON };
  }
  if (target.parameters === null || target.parameters.has('structured_outputs')) {
    return { format: { type: 'json_schema', schema: answerSchema(format.schema, warnings) }, instruction: null };
  }
  warnings.add('this model cannot be held to a JSON schema; it was sent as an instruction');
  const purpose = format.description === null ? '' : `\nWhat it is for: ${format.description}`;
  const instruction = `${ONLY_JSON} It must be valid against this JSON Schema:\n${JSON.stringify(format.schema)}${purpose}`;
  return { format: null, instruction };
}

const ONLY_JSON = 'Answer with one JSON object and nothing else: no words before or after it, no code fence.';
