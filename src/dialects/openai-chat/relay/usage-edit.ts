/** Asks for the usage of a stream, without which OpenAI reports none there. */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { type Edit, insertField, replaceValue } from '../../../wire/json-splice.ts';

export function usageEdit(document: JsonDocument): Edit {
  const options = document.fields.get('stream_options');
  if (options === undefined) return insertField(document, 'stream_options', '{"include_usage":true}');
  if (options.type !== 'object') return replaceValue(options, '{"include_usage":true}');
  const inside = scanInside(document, options);
  const flag = inside.fields.get('include_usage');
  return flag === undefined ? insertField(inside, 'include_usage', 'true') : replaceValue(flag, 'true');
}
