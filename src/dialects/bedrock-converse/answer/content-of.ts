/** Where a whole answer has its content: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseOutput.html */
import { isObject, type JsonObject, objectsOf } from '../../../core/json-object.ts';

/** The content blocks of a whole answer; null if it is not one. */
export function contentOf(answer: JsonObject): readonly JsonObject[] | null {
  const { output } = answer;
  const message = isObject(output) ? output['message'] : null;
  const content = isObject(message) ? message['content'] : null;
  return Array.isArray(content) ? objectsOf(content) : null;
}
