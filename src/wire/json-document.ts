/** What a scan of a JSON body finds: where its fields lie. See `JsonScan`. */

export type JsonType = 'string' | 'number' | 'object' | 'array' | 'true' | 'false' | 'null';

/** A value's place in the body; offsets in bytes, the end exclusive. */
export interface JsonField {
  /** Where the name's opening quote is. */
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly type: JsonType;
}

/** A key the scan was told to watch for, found somewhere inside the body. */
export interface WatchedField extends JsonField {
  /**
   * Keys from the top, array positions written `[]`: `messages[].content[].source.file_id`.
   * A key that is not a plain word (letters, digits, `_`, `-`, `$`) is written `["like this"]`.
   */
  readonly path: string;
  /** Where the object that has the key begins. */
  readonly objectStart: number;
}

/** A body that is known to be one well-formed JSON object in UTF-8. */
export interface JsonDocument {
  readonly bytes: Buffer;
  /** Where the opening brace is: 0 but for white space, or for an object inside another document. */
  readonly objectStart: number;
  /** The fields of the top-level object, by their decoded names. */
  readonly fields: ReadonlyMap<string, JsonField>;
  /** The watched keys below the top level, in the order they appear; the top-level ones are in `fields`. */
  readonly watched: readonly WatchedField[];
  /** How many values and names it has, the outermost object included: what parsing it costs, before it is parsed. */
  readonly values: number;
  /** By how many bytes its text may grow where it is normalised; null where the scan did not look. */
  readonly growth: number | null;
  /** Where the dialect's mark begins, of a body that was searched for it as it arrived. */
  readonly marks?: readonly number[];
}
