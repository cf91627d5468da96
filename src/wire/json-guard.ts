/**
 * Parses JSON whose size and shape nobody has checked yet: answers of providers, bodies of the
 * management routes. Closed by default: what is too large, too deep, not UTF-8, or names a field
 * `__proto__` is refused, since one careless copy of such an object would give it a new prototype.
 */
import { isUtf8 } from 'node:buffer';

export interface JsonLimits {
  readonly bytesMax: number;
  /** How deep objects and arrays may nest; the outermost is 1. */
  readonly depthMax: number;
}

export type JsonRefusal = 'too_large' | 'too_deep' | 'invalid_utf8' | 'invalid_json' | 'prototype_key';

/** Bytes that are not taken as JSON. The text says which rule, and nothing of the bytes. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused';
  readonly reason: JsonRefusal;

  constructor(reason: JsonRefusal) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

/** Any JSON value. Throws `JsonRefused`. */
export function parseJson(bytes: Buffer, limits: JsonLimits): unknown {
  if (bytes.length > limits.bytesMax) throw new JsonRefused('too_large');
  if (nestsDeeper(bytes, limits.depthMax)) throw new JsonRefused('too_deep');
  if (!isUtf8(bytes)) throw new JsonRefused('invalid_utf8');
  const value = parse(bytes.toString());
  if (mayNamePrototype(bytes)) refusePrototype(value);
  return value;
}

const sentences: Readonly<Record<JsonRefusal, string>> = {
  too_large: 'The JSON is too large.',
  too_deep: 'The JSON is nested too deeply.',
  invalid_utf8: 'The JSON is not valid UTF-8.',
  invalid_json: 'This is not valid JSON.',
  prototype_key: 'The JSON names a field __proto__.',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the bytes, which may be secret, so it goes no further.
    throw new JsonRefused('invalid_json');
  }
}

/** Counts brackets outside strings. On bytes that are no JSON the count means nothing, but then the parser refuses them. */
function nestsDeeper(bytes: Buffer, depthMax: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) {
      for (at++; at < bytes.length && bytes[at] !== 0x22; at++) if (bytes[at] === 0x5c) at++;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth++;
      if (depth > depthMax) return true;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--;
    }
  }
  return false;
}

/** Only a name spelled out, or one with a `\u` escape, can come out as `__proto__`. */
function mayNamePrototype(bytes: Buffer): boolean {
  return bytes.includes('__proto__') || bytes.includes('\\u');
}

/** Recursion is safe: the depth has been checked. */
function refusePrototype(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) refusePrototype(element);
    return;
  }
  if (Object.hasOwn(value, '__proto__')) throw new JsonRefused('prototype_key');
  for (const key in value) refusePrototype((value as Record<string, unknown>)[key]);
}
