/**
 * The output in an event or an item: text, refusals, reasoning, arguments of calls. It is the basis of an estimate if the provider reports
 * no usage.
 */
import { asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';

/** The text that an event adds; null if it is not a delta of the model's output. */
export function deltaText(type: unknown, event: JsonObject): string | null {
  return typeof type === 'string' && DELTAS.has(type) ? (asText(event['delta']) ?? '') : null;
}

/** The texts of one item of `output`; results of the provider's tools are input of the model. */
export function textsOf(item: JsonObject): readonly string[] {
  const own = OWN_TEXTS.map((name) => item[name]);
  const parts = [...objectsOf(item['summary']), ...objectsOf(item['content'])];
  return [...own, ...parts.flatMap((part) => [part['text'], part['refusal']])].filter(
    (text) => typeof text === 'string',
  );
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const DELTAS: ReadonlySet<string> = new Set([
  ...['response.output_text.delta', 'response.refusal.delta'],
  ...['response.reasoning_summary_text.delta', 'response.reasoning_text.delta'],
  ...['response.function_call_arguments.delta', 'response.custom_tool_call_input.delta'],
  ...['response.code_interpreter_call_code.delta', 'response.mcp_call_arguments.delta'],
  'response.apply_patch_call_operation_diff.delta',
]);

/** An encrypted thought has about the length of the thought. */
const OWN_TEXTS = ['arguments', 'input', 'code', 'encrypted_content'];
