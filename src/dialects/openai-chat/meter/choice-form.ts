/** Where a choice has its output, which is what differs between the answers of a conversation and those of text completions. */
import { asObject, type JsonObject } from '../../../core/json-object.ts';

export interface ChoiceForm {
  /** The output in a choice of a stream's chunk, with the names of a `delta`; null without any. */
  readonly streamed: (choice: JsonObject) => JsonObject | null;
  /** The same in a choice of a whole answer. */
  readonly whole: (choice: JsonObject) => JsonObject | null;
}

export const ofConversation: ChoiceForm = {
  streamed: (choice) => asObject(choice['delta']),
  whole: (choice) => asObject(choice['message']),
};

/** https://platform.openai.com/docs/api-reference/completions/object; a chunk has the same fields. */
export const ofCompletion: ChoiceForm = { streamed: textOf, whole: textOf };

function textOf({ text }: JsonObject): JsonObject | null {
  return typeof text === 'string' ? { content: text } : null;
}
