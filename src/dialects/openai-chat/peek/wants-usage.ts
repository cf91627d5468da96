/** Whether a request asks for a last chunk with the usage of its stream. */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { present, readFlag } from './peeked-fields.ts';

/** Throws `GatewayError` 400 for options that are none. */
export function readWantsUsage(document: JsonDocument): boolean {
  const options = present(document, 'stream_options');
  if (options === null) return false;
  if (options.type !== 'object') throw invalid('stream_options', '"stream_options" must be an object.');
  if (options.valueEnd - options.valueStart > STREAM_OPTIONS_BYTES_MAX) {
    throw invalid('stream_options', `"stream_options" may have at most ${STREAM_OPTIONS_BYTES_MAX} bytes.`);
  }
  return readFlag(scanInside(document, options), 'include_usage', 'stream_options.include_usage');
}

/** The options are two flags; they are scanned synchronously, so their size is bounded. */
const STREAM_OPTIONS_BYTES_MAX = 4096;
