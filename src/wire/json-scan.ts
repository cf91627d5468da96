/**
 * Checks a JSON body and finds its fields without parsing it. A relayed body is never turned into objects: the gateway needs only the
 * positions of the top-level fields, and whether certain names occur anywhere below. The scan runs while the body arrives, so that no body
 * blocks the event loop.
 *
 * Refused: anything but one JSON object (RFC 8259) in UTF-8, a byte order mark, nesting that is too deep, a duplicate top-level name, more
 * than `FIELDS_MAX` top-level names.
 *
 * Left to the provider: what is *inside* strings below the top level and in values (unknown escapes, raw control bytes). Checking them
 * would mean a loop over every byte of inline media. Names that the gateway acts on are decoded and thereby checked: the top-level ones,
 * and those that may be watched ones.
 */
import { isUtf8 } from 'node:buffer';
import { assert } from '../core/assert.ts';
import { EnteredObjects, newFieldName } from './entered-objects.ts';
import type { JsonDocument, JsonField, JsonType } from './json-document.ts';
import * as grammar from './json-grammar.ts';
import { endsEarly, notAnObject, notUtf8, tooDeep, unexpected } from './json-refusals.ts';
import type { SpellingRules } from './json-spelling.ts';
import { WatchedKeys } from './json-watch.ts';
import { GrowthCounter } from './normalised-growth.ts';

export interface JsonScanOptions {
  /** How deep objects and arrays may nest; the body itself is 1. */
  readonly depthMax?: number;
  /** Names to report wherever they occur below the top level; the set must not change afterwards. */
  readonly watchedKeys?: ReadonlySet<string>;
  /** Names, including the watched ones, that must not be misspelled below the top level. */
  readonly spelling?: SpellingRules;
  /** Top-level names of objects whose own fields are found while the body arrives: `scanInside` of them then takes no time. With `spelling` only. */
  readonly entered?: ReadonlySet<string>;
}

/**
 * A level of a tool's schema costs up to five levels of nesting (`properties`, its object, `anyOf`, an array, `items`), so ten levels of
 * schema reach about 60 below `tools`. 128 is enough for real ones and far below what overflows any parser's stack.
 */
export const DEPTH_MAX = 128;
const UTF8_STEP_BYTES = 64 * 1024;
/** A parser takes several times as long for a name with an escape; only attackers write those. */
export const ESCAPED_NAME_VALUES = 8;

/** Scans a complete body. */
export function scanJson(bytes: Buffer, options: JsonScanOptions = {}): JsonDocument {
  const scan = options.depthMax === undefined ? sharedScan(options) : new JsonScan(options);
  return scan.finish(bytes, bytes.length);
}

/**
 * The fields of an object inside a document; offsets are still those in the document's bytes. The object is scanned in one go, unless its
 * fields were found with the document's (`JsonScanOptions.entered`).
 */
export function scanInside(document: JsonDocument, field: JsonField): JsonDocument {
  assert(field.type === 'object', 'only an object has fields');
  const known = document.inside?.find(({ objectStart }) => objectStart === field.valueStart);
  if (known !== undefined) return known;
  return shared.reset(field.valueStart).finish(document.bytes, field.valueEnd);
}

const ROOT = 0;
const VALUE = 1;
const VALUE_OR_END = 2;
const KEY = 3;
const KEY_OR_END = 4;
const COLON = 5;
const AFTER_VALUE = 6;
const NUMBER = 7;
const LITERAL = 8;
const STRING = 9;
const IN_KEY = 10;
const DONE = 11;
const FAILED = 12;

const types: readonly JsonType[] = ['null', 'string', 'object', 'array', 'number', 'true', 'false', 'null'];

/**
 * One scan of one body that arrives in a growing, contiguous buffer. Throws `GatewayError` (400) as soon as the body must be refused; a
 * scan that threw cannot be used until it is reset.
 */
export class JsonScan {
  readonly #depthMax: number;
  readonly #watch: WatchedKeys | null;
  /** Two numbers per depth: where the current name's text starts and ends; -1 where the container is an array. */
  readonly #names: number[] = [0, 0];
  /** Per depth: where the container begins. */
  readonly #containers: number[] = [0, 0];
  #start = 0;
  #objectStart = 0;
  #at = 0;
  #state = ROOT;
  #depth = 0;
  /** The bytes before this one are known to be UTF-8. */
  #utf8At = 0;
  /** Position in the number table or in the literal, if the scan stopped within one. */
  #step = 0;
  /** The literal's kind while in one. */
  #kind = 0;
  #keyEscaped = false;
  // The top-level field that is being read.
  #name = '';
  #keyStart = 0;
  #valueStart = 0;
  #valueKind = 0;
  #fields = new Map<string, JsonField>();
  #values = 0;
  readonly #entered: EnteredObjects | null;
  /** The depth down to which the positions of fields are kept: 2 in an object that is entered, else 1. */
  #fieldsDepth = 1;
  /** Only for request bodies. */
  readonly #growth: GrowthCounter | null;
  /** Depth of the innermost object with a watched key whose value has not ended; -1 when there is none. */
  #watchDepth = -1;

  constructor(options: JsonScanOptions = {}) {
    this.#depthMax = options.depthMax ?? DEPTH_MAX;
    const { watchedKeys, spelling, entered } = options;
    this.#entered = entered === undefined ? null : new EnteredObjects(entered);
    this.#growth = spelling === undefined ? null : new GrowthCounter();
    this.#watch = watchedKeys === undefined || watchedKeys.size === 0 ? null : new WatchedKeys(watchedKeys, spelling);
  }

  /** Resets the scan for a body that begins at `start`. The documents it returned stay valid. */
  reset(start = 0): this {
    this.#start = start;
    this.#at = start;
    this.#state = ROOT;
    this.#depth = 0;
    this.#utf8At = start;
    this.#fields = new Map();
    this.#fieldsDepth = 1;
    this.#entered?.reset();
    this.#values = 0;
    this.#watch?.reset();
    this.#watchDepth = -1;
    return this;
  }

  /**
   * Reads on to `filled`. `bytes` may be another, larger buffer than last time, as long as it begins with the same bytes; nothing beyond
   * `filled` is read.
   */
  feed(bytes: Buffer, filled: number): void {
    const names = this.#names;
    const depthMax = this.#depthMax;
    let at = this.#at;
    let state = this.#state;
    let depth = this.#depth;
    let inArray = names[2 * depth] === -1;
    let values = this.#values;
    // A search for the end of a string must not read what the buffer holds after the bytes that have arrived.
    const arrived = bytes.length === filled ? bytes : bytes.subarray(0, filled);
    assert(state !== FAILED, 'a scan that threw must be reset');
    this.#state = FAILED;

    while (at < filled) {
      const byte = bytes[at] as number;
      let valueEnded = false;
      switch (state) {
        case VALUE:
        case VALUE_OR_END: {
          const kind = grammar.valueKinds[byte] as number;
          if (kind === 0) {
            if (byte === 0x5d && state === VALUE_OR_END) {
              at++;
              depth--;
              inArray = names[2 * depth] === -1;
              valueEnded = true;
              break;
            }
            if (!grammar.isSpace(byte)) throw unexpected(at, 'a value');
            at++;
            break;
          }
          values++;
          if (depth <= this.#fieldsDepth || depth === this.#watchDepth) this.#startValue(depth, at, kind, values);
          if (kind === grammar.STRING_KIND) {
            const next = grammar.skipString(arrived, at + 1);
            if (next >= 0) {
              at = next;
              valueEnded = true;
            } else {
              at = ~next;
              state = STRING;
            }
          } else if (kind <= grammar.ARRAY_KIND) {
            at++;
            depth++;
            if (depth > depthMax) throw tooDeep(depthMax);
            this.#containers[depth] = at - 1;
            inArray = kind === grammar.ARRAY_KIND;
            names[2 * depth] = inArray ? -1 : 0;
            names[2 * depth + 1] = 0;
            state = inArray ? VALUE_OR_END : KEY_OR_END;
          } else if (kind === grammar.NUMBER_KIND) {
            this.#step = grammar.NUMBER_START;
            state = NUMBER;
          } else {
            this.#kind = kind;
            this.#step = 0;
            state = LITERAL;
          }
          break;
        }
        case KEY:
        case KEY_OR_END: {
          if (byte === 0x22) {
            values++;
            names[2 * depth] = at + 1;
            this.#keyEscaped = false;
            at++;
            state = IN_KEY;
          } else if (byte === 0x7d && state === KEY_OR_END) {
            at++;
            depth--;
            inArray = names[2 * depth] === -1;
            valueEnded = true;
          } else {
            if (!grammar.isSpace(byte)) throw unexpected(at, 'a name');
            at++;
          }
          break;
        }
        case IN_KEY: {
          let current = byte;
          while (current !== 0x22) {
            if (current === 0x5c) {
              this.#keyEscaped = true;
              at++;
            }
            at++;
            if (at >= filled) break;
            current = bytes[at] as number;
          }
          if (at < filled) {
            names[2 * depth + 1] = at;
            if (this.#keyEscaped) values += ESCAPED_NAME_VALUES - 1;
            this.#readKey(bytes, depth, at);
            at++;
            state = COLON;
          }
          break;
        }
        case COLON:
          if (byte === 0x3a) state = VALUE;
          else if (!grammar.isSpace(byte)) throw unexpected(at, 'a colon');
          at++;
          break;
        case AFTER_VALUE:
          at++;
          if (byte === 0x2c) {
            state = inArray ? VALUE : KEY;
          } else if (byte === (inArray ? 0x5d : 0x7d)) {
            depth--;
            inArray = names[2 * depth] === -1;
            valueEnded = true;
          } else if (!grammar.isSpace(byte)) {
            throw unexpected(at - 1, inArray ? 'a comma or the end of the array' : 'a comma or the end of the object');
          }
          break;
        case NUMBER: {
          let step = this.#step;
          let next = grammar.numberSteps[(step << 8) | byte] as number;
          while (next !== 0) {
            step = next;
            at++;
            if (at >= filled) break;
            next = grammar.numberSteps[(step << 8) | (bytes[at] as number)] as number;
          }
          this.#step = step;
          if (next === 0) {
            if (!grammar.numberMayEnd(step)) throw unexpected(at, 'a digit');
            valueEnded = true;
          }
          break;
        }
        case LITERAL: {
          const word = grammar.literals[this.#kind] as Buffer;
          if (byte !== word[this.#step]) throw unexpected(at, `'${word.toString()}'`);
          at++;
          this.#step++;
          valueEnded = this.#step === word.length;
          break;
        }
        case STRING: {
          const next = grammar.skipString(arrived, at);
          if (next >= 0) {
            at = next;
            valueEnded = true;
          } else at = ~next;
          break;
        }
        case ROOT:
          if (byte === 0x7b) {
            values++;
            depth = 1;
            if (depth > depthMax) throw tooDeep(depthMax);
            this.#objectStart = at;
            names[2] = 0;
            names[3] = 0;
            inArray = false;
            state = KEY_OR_END;
          } else if (!grammar.isSpace(byte)) throw notAnObject(at, byte === 0xef && at === this.#start);
          at++;
          break;
        default:
          if (!grammar.isSpace(byte)) throw unexpected(at, 'nothing after the end of the object');
          at++;
      }
      if (valueEnded) {
        state = depth === 0 ? DONE : AFTER_VALUE;
        if (depth <= this.#fieldsDepth || depth === this.#watchDepth) this.#endValue(depth, at, values);
      }
    }
    // The encoding of a large body is checked as it arrives, that of a small one at its end.
    if (filled - this.#utf8At >= UTF8_STEP_BYTES) {
      this.#checkUtf8(bytes, grammar.lastCharacterStart(bytes, filled));
      this.#growth?.feed(bytes, this.#utf8At);
    }
    this.#at = at;
    this.#state = state;
    this.#depth = depth;
    this.#values = values;
  }

  /** Reads the rest and returns what was found; the document's bytes are a view of `bytes`, not a copy. */
  finish(bytes: Buffer, filled: number): JsonDocument {
    this.feed(bytes, filled);
    if (this.#state !== DONE) throw endsEarly(filled, this.#start);
    const body = bytes.length === filled ? bytes : bytes.subarray(0, filled);
    this.#checkUtf8(body, filled);
    return {
      bytes: body,
      objectStart: this.#objectStart,
      fields: this.#fields,
      watched: this.#watch?.found ?? [],
      values: this.#values,
      growth: this.#growth?.finish(body, filled) ?? null,
      ...(this.#entered !== null && { inside: this.#entered.documents(body) }),
    };
  }

  #checkUtf8(bytes: Buffer, end: number): void {
    const from = this.#utf8At;
    if (!isUtf8(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end))) throw notUtf8();
    this.#utf8At = end;
  }

  #readKey(bytes: Buffer, depth: number, end: number): void {
    const start = this.#names[2 * depth] as number;
    if (depth === 1) {
      this.#name = newFieldName(this.#fields, bytes, start, end);
      this.#keyStart = start - 1;
      return;
    }
    if (depth <= this.#fieldsDepth) this.#entered?.readKey(bytes, start, end);
    if (this.#watch?.see(bytes, this.#names, depth, this.#keyEscaped, this.#containers[depth] as number))
      this.#watchDepth = depth;
  }

  #startValue(depth: number, at: number, kind: number, values: number): void {
    if (depth === 1) {
      this.#valueStart = at;
      this.#valueKind = kind;
      if (kind === grammar.OBJECT_KIND && this.#entered?.enter(this.#name, at, values) === true) this.#fieldsDepth = 2;
      return;
    }
    if (depth <= this.#fieldsDepth) this.#entered?.startValue(at, types[kind] as JsonType);
    if (depth === this.#watchDepth) this.#watch?.startValue(at, types[kind] as JsonType);
  }

  #endValue(depth: number, end: number, values: number): void {
    if (depth === 0) return;
    if (depth === 1) {
      const type = types[this.#valueKind] as JsonType;
      this.#fields.set(this.#name, { keyStart: this.#keyStart, valueStart: this.#valueStart, valueEnd: end, type });
      if (this.#fieldsDepth === 2) this.#entered?.leave(end, values);
      this.#fieldsDepth = 1;
      return;
    }
    if (depth <= this.#fieldsDepth) this.#entered?.endValue(end);
    if (depth === this.#watchDepth) this.#watchDepth = this.#watch?.endValue(end) ?? -1;
  }
}

const shared = new JsonScan();
const sharedWatching = new WeakMap<ReadonlySet<string> | SpellingRules, JsonScan>();

/** A scan of a complete body has ended when it returns, so one instance serves all bodies with the same watched names. */
function sharedScan(options: JsonScanOptions): JsonScan {
  const watched = options.spelling ?? options.watchedKeys;
  if (watched === undefined) return shared.reset();
  const known = sharedWatching.get(watched);
  if (known !== undefined) return known.reset();
  const made = new JsonScan(options);
  sharedWatching.set(watched, made);
  return made;
}
