/** Reads `text`: the format of the answer, and how long it should be: https://platform.openai.com/docs/guides/structured-outputs */
import type { ChatRequest, JsonObject, OutputFormat } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import {
  isAbsent,
  readFlagOrNull,
  readName,
  readObject,
  readTextOrNull,
  readWordOrNull,
} from '../../kit/request/request-values.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export function readText(value: unknown, warnings: Set<string>): Pick<ChatRequest, 'format' | 'verbosity'> {
  if (isAbsent(value)) return { format: null, verbosity: null };
  const text = readObject(value, 'text');
  warnOfUnknown(text, KNOWN_FIELDS, 'text.', warnings);
  return {
    format: isAbsent(text['format']) ? null : readFormat(readObject(text['format'], 'text.format'), warnings),
    verbosity: readWordOrNull(text['verbosity'], 'text.verbosity', ['low', 'medium', 'high']),
  };
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['format', 'verbosity']);
const KNOWN_IN_FORMAT = fieldsByType(['type'], { json_schema: ['name', 'description', 'schema', 'strict'] });

function readFormat(format: JsonObject, warnings: Set<string>): OutputFormat | null {
  warnOfUnknown(format, KNOWN_IN_FORMAT.of(format['type']), 'text.format.', warnings);
  switch (readName(format['type'], 'text.format.type')) {
    case 'text':
      return null;
    case 'json_object':
      return { type: 'json_object' };
    case 'json_schema':
      return {
        type: 'json_schema',
        name: readTextOrNull(format['name'], 'text.format.name') || null,
        description: readTextOrNull(format['description'], 'text.format.description') || null,
        schema: isAbsent(format['schema']) ? { type: 'object' } : readObject(format['schema'], 'text.format.schema'),
        strict: readFlagOrNull(format['strict'], 'text.format.strict'),
      };
    default:
      throw unsupported('text.format.type', '"text.format.type" must be text, json_object or json_schema.');
  }
}
