/**
 * Reads an error in a relayed stream, which has many forms. Clients recognise two: OpenAI's packages throw for a field `error`, Vercel's
 * `@ai-sdk/openai` if there are also no `choices`.
 */

import { asArray, asObject, type JsonObject } from '../../../core/json-object.ts';
import { FieldCursor } from '../../../wire/field-cursor.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import type { EventError } from '../../interface/event-error.ts';
import { judgeOpenaiError } from '../../kit/errors/openai-answer-error.ts';
import { holdsError } from './read-answer-error.ts';

export function readEventError(frame: Frame): EventError | null {
  const { event, data } = frame;
  const fields = asObject(frame.json());
  if (data === null || fields === null) return null;
  if (event !== 'error' && !holdsError(fields)) return readChoices(fields);
  const { choices, ...error } = fields;
  const inside = readChoices(fields);
  const judged = judgeOpenaiError(error);
  return {
    error: judged.error,
    isSafe: judged.isSafe && inside?.isSafe !== false,
    alone: fields['error'] && !Array.isArray(choices) ? null : encodeSse(null, `{"error":${textOf(data)}}`),
  };
}

/** A choice may have its own error: https://openrouter.ai/docs/api-reference/errors */
function readChoices(fields: JsonObject): EventError | null {
  let first: EventError | null = null;
  for (const item of asArray(fields['choices'])) {
    const choice = asObject(item);
    if (choice === null || !holdsError(choice)) continue;
    const { delta, message, text, ...rest } = choice;
    const { error, isSafe } = judgeOpenaiError(rest);
    first ??= { error, isSafe, alone: encodeSse(null, JSON.stringify({ error: { message: error.message } })) };
    if (!isSafe) return { ...first, isSafe };
  }
  return first;
}

/** The value of `error` as the provider wrote it; the whole event if it is itself the error, as with vLLM. */
function textOf(data: Buffer): string {
  const cursor = new FieldCursor();
  let text: string | null = null;
  cursor.open(data, 0, data.length);
  while (cursor.next()) {
    if (cursor.keyIs(ERROR)) text = data.toString('utf8', cursor.valueStart, cursor.valueEnd);
  }
  return text ?? data.toString();
}

const ERROR = Buffer.from('"error"');
