/** The same output as in `delivered.ts`, for a model whose tokenizer counts words: here the texts themselves are needed. */
import { asArray, asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import type { WordCounter } from '../../kit/meter/word-counter.ts';

/** `choice` is the index of the choice with this `delta` or `message`. */
export function countWords(words: WordCounter, choice: number, delta: JsonObject): void {
  const add = (part: string, value: unknown): void => {
    const text = asText(value);
    if (text !== null) words.add(`${choice} ${part}`, text);
  };
  addContent(add, delta['content']);
  add('refusal', delta['refusal']);
  add('reasoning', asText(delta['reasoning']) ?? delta['reasoning_content']);
  add('audio', asObject(delta['audio'])?.['transcript']);
  for (const [position, item] of asArray(delta['tool_calls']).entries()) {
    const call = asObject(item);
    const index = typeof call?.['index'] === 'number' ? call['index'] : position;
    addCall(add, `call ${index}`, asObject(call?.['function']) ?? asObject(call?.['custom']));
  }
  addCall(add, 'function', asObject(delta['function_call']));
}

type Add = (part: string, value: unknown) => void;

function addContent(add: Add, content: unknown): void {
  add('content', content);
  for (const item of asArray(content)) {
    const part = asObject(item);
    add('content', part?.['text']);
    add('refusal', part?.['refusal']);
    for (const thought of asArray(part?.['thinking'])) add('reasoning', asObject(thought)?.['text']);
  }
}

function addCall(add: Add, part: string, called: JsonObject | null): void {
  if (called === null) return;
  add(`${part} name`, called['name']);
  add(`${part} arguments`, asText(called['arguments']) ?? called['input']);
}
