/** What a scan of a JSON body finds: where its fields are. See `JsonScan`. */

export type JsonType = 'string' | 'number' | 'object' | 'array' | 'true' | 'false' | 'null';

/** Where a field is in the body; offsets in bytes, the end exclusive. */
export interface JsonField {
  /** Where the name's opening quote is. */
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly type: JsonType;
}

/** A key that the scan watches for, found somewhere inside the body. */
export interface WatchedField extends JsonField {
  /**
   * Keys from the top, array positions written `[]`: `messages[].content[].source.file_id`.
   * A key that is not a plain word (letters, digits, `_`, `-`, `$`) is written `["like this"]`.
   */
  readonly path: string;
  /** Where the object with the key begins. */
  readonly objectStart: number;
}

/** A body that is known to be one well-formed JSON object in UTF-8. */
export interface JsonDocument {
  readonly bytes: Buffer;
  /** Where the opening brace is: 0 except after white space, or for an object inside another document. */
  readonly objectStart: number;
  /** The fields of the top-level object, by their decoded names. */
  readonly fields: ReadonlyMap<string, JsonField>;
  /** The watched keys below the top level, in the order they appear; the top-level ones are in `fields`. */
  readonly watched: readonly WatchedField[];
  /** How many values and names it has, the outermost object included: what parsing it costs, before it is parsed. */
  readonly values: number;
  /** By how many bytes its text may grow if it is normalised; null if the scan did not check. */
  readonly growth: number | null;
  /** The top-level objects that the scan entered (`JsonScanOptions.entered`); absent if there are none. */
  readonly inside?: readonly JsonDocument[];
  /** Where the dialect's marks occur, if the body was searched for them while it arrived; see `placesOf`. */
  readonly marks?: ReadonlyMap<Mark, readonly number[]>;
}

/** A short text that bodies are searched for: see `MarkSearch`. */
export interface Mark {
  readonly text: Buffer;
  /** The search stops after as many. */
  readonly max: number;
}
