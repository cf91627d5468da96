/** A tool call as it grows. */
import { randomBytes } from 'node:crypto';

export class AnswerCall {
  /** As the provider wrote it, or null. */
  readonly wireId: string | null;
  readonly id: string;
  readonly index: number | null;
  name: string | null = null;
  /** The arguments, unless they are an object: those are sent as they arrive. */
  readonly #kept: string[] = [];
  /** Whether only white space has arrived. */
  #blank = true;
  /** Whether the arguments begin as an object. */
  #isObject = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #complete = false;

  /** Whether it is of a custom tool: its input is a text, and becomes the object `{input: <text>}`. */
  readonly #isCustom: boolean;

  /** `id` is for the caller: the provider's own, or a new one if that is missing or a duplicate. */
  constructor(index: number | null, wireId: string | null, id: string, isCustom = false) {
    this.index = index;
    this.#isCustom = isCustom;
    this.wireId = wireId;
    this.id = id;
  }

  /** The part of the arguments that may be sent: an object as it arrives, anything else only in `rest`. */
  add(json: string): string {
    if (this.#isCustom) return this.#addText(json);
    const first = this.#blank ? json.trimStart() : '';
    if (first !== '') {
      this.#blank = false;
      this.#isObject = first.startsWith('{');
    }
    for (let at = 0; at < json.length && !this.#complete; at += 1) this.#see(json.charCodeAt(at));
    if (!this.#isObject) {
      this.#kept.push(json);
      return '';
    }
    return first === '' ? json : first;
  }

  /**
   * At the end: what is still to be sent for arguments that are not an object, which models sometimes write. They are kept as text under
   * `_raw`; `null` counts as no arguments.
   */
  rest(): string {
    if (this.#isCustom) return this.#blank ? '' : '"}';
    if (this.#isObject) return '';
    const kept = this.#kept.join('');
    const json = kept.trim();
    return json === '' || json === 'null' ? '' : JSON.stringify({ _raw: kept });
  }

  /** Whether the object of the arguments has ended, so that no more of them can come. */
  isComplete(): boolean {
    return this.#complete;
  }

  #addText(text: string): string {
    const head = this.#blank ? '{"input":"' : '';
    this.#blank = false;
    return head + JSON.stringify(text).slice(1, -1);
  }

  #see(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (code === BACKSLASH) this.#escaped = true;
      else if (code === QUOTE) this.#inString = false;
    } else if (code === QUOTE) this.#inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      this.#depth -= 1;
      this.#complete = this.#depth === 0;
    }
  }
}

/** An id for a call without one. Random, because a conversation contains the ids of many answers. */
export function makeCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
