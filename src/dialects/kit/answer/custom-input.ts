/**
 * The text of a custom tool's call, from the arguments that a model wrote for it: `{"input": <text>}`, or `{"_raw": <text>}` where it wrote
 * no object. What is neither is passed on as it is, since the tool takes any text.
 */
import type { JsonObject } from '../../../chat/request.ts';
import { parseOrNull } from '../../../core/json-object.ts';
import { ToolInputs } from './tool-input.ts';

export function customInputOf(input: JsonObject): string {
  const { input: text } = input;
  if (typeof text === 'string') return text;
  const raw = Object.keys(input).length === 1 ? input['_raw'] : null;
  return typeof raw === 'string' ? raw : JSON.stringify(input);
}

/** Reads a text out of pieces of arguments as they arrive. */
export class CustomInputText {
  /** What has arrived and is not yet read: the beginning, an escape that is not whole, or all of what is not a text. */
  #held = '';
  #state: 'before' | 'inside' | 'after' | 'other' = 'before';

  /** More of the arguments, as JSON text: the part of the text that is complete. */
  add(json: string): string {
    if (this.#state === 'after') return '';
    this.#held += json;
    if (this.#state === 'before') this.#begin();
    return this.#state === 'inside' ? this.#take() : '';
  }

  /** At the end: what is still due. */
  rest(): string {
    const held = this.#held;
    if (this.#state === 'after' || this.#state === 'inside' || held === '') return '';
    // What is too large to be parsed stays as it is.
    const text = new ToolInputs().read(held)?.['input'];
    return typeof text === 'string' ? text : held;
  }

  /** Before the text there is little: once that much has arrived, it is known whether it is one. */
  #begin(): void {
    const head = HEAD.exec(this.#held);
    if (head !== null) {
      this.#held = this.#held.slice(head[0].length);
      this.#state = 'inside';
    } else if (this.#held.length > HEAD_LENGTH_MAX) {
      this.#state = 'other';
    }
  }

  #take(): string {
    const held = this.#held;
    let end = held.indexOf('"');
    while (end !== -1 && isEscaped(held, end)) end = held.indexOf('"', end + 1);
    if (end !== -1) {
      this.#state = 'after';
      this.#held = '';
      return unescaped(held.slice(0, end));
    }
    const whole = wholeLength(held);
    this.#held = held.slice(whole);
    return unescaped(held.slice(0, whole));
  }
}

/** Only plain spellings of the names, which is what models write. */
const HEAD = /^\s{0,32}\{\s{0,32}"(?:input|_raw)"\s{0,32}:\s{0,32}"/;
const HEAD_LENGTH_MAX = 160;
/** `\uD83D`: a piece may end anywhere in it. */
const ESCAPE_LENGTH = 6;

/** Whether the quote at `at` belongs to an escape: an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** The length without the beginning of an escape at the end, and without the first half of a pair of escapes before it. */
function wholeLength(text: string): number {
  const open = startOfOpenEscape(text);
  const before = open - ESCAPE_LENGTH;
  return before >= 0 && !isEscaped(text, before) && FIRST_HALF.test(text.slice(before, open)) ? before : open;
}

/** The text's length if it does not end in an escape that is not whole. */
function startOfOpenEscape(text: string): number {
  for (let at = Math.max(0, text.length - ESCAPE_LENGTH + 1); at < text.length; at += 1) {
    if (text[at] !== '\\' || isEscaped(text, at)) continue;
    const length = text[at + 1] === 'u' ? ESCAPE_LENGTH : 2;
    if (at + length > text.length) return at;
    at += length - 1;
  }
  return text.length;
}

/** https://unicode.org/faq/utf_bom.html#utf16-2 */
const FIRST_HALF = /^\\u[dD][89abAB]/;

/** The text of a JSON string without its quotes; as it is if it cannot be one. */
function unescaped(json: string): string {
  if (!json.includes('\\')) return json;
  const text = parseOrNull(`"${json.replace(CONTROL, (character) => JSON.stringify(character).slice(1, -1))}"`);
  return typeof text === 'string' ? text : json;
}

/** Models write line breaks into strings. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it matches.
const CONTROL = /[\u0000-\u001f]/g;
