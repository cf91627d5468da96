/** Reads the arguments of a call that a caller of one of OpenAI's formats sends back: https://platform.openai.com/docs/guides/function-calling */
import type { JsonObject } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { ARGUMENT_BYTES_MAX, ARGUMENT_VALUES_MAX, type ToolInputs } from '../answer/tool-input.ts';
import { isAbsent, isRecord, readText } from './request-values.ts';

/**
 * A text, or an object from clients that do not write it as one. A model wrote it, so it may not be JSON; then it stays text. Throws
 * `GatewayError` 413 if the arguments of the request are too large together.
 */
export function readArguments(value: unknown, path: string, inputs: ToolInputs): JsonObject {
  if (isAbsent(value)) return {};
  if (isRecord(value)) return value;
  const input = inputs.read(readText(value, path));
  if (input !== null) return input;
  throw new GatewayError('request_too_large', {
    message: `The arguments of this request's tool calls have more than ${ARGUMENT_VALUES_MAX} values and names, or ${ARGUMENT_BYTES_MAX} bytes, together, which is the most that is translated for a provider of another format.`,
    param: path,
  });
}
