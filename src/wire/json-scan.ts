/** See `JsonScan`. */
export type JsonType = 'string' | 'number' | 'object' | 'array' | 'true' | 'false' | 'null';

/** A value's place in the body; offsets in bytes, the end exclusive. */
export interface JsonField {
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly type: JsonType;
}

/** A key the scan was told to watch for, found somewhere inside the body. */
export interface WatchedField extends JsonField {
  /** Keys from the top, array positions written `[]`: `messages[].content[].source.file_id`. */
  readonly path: string;
}

/** A body that is known to be one well-formed JSON object in UTF-8. */
export interface JsonDocument {
  readonly bytes: Buffer;
  /** The fields of the top-level object, by their decoded names. */
  readonly fields: ReadonlyMap<string, JsonField>;
  readonly watched: readonly WatchedField[];
}
