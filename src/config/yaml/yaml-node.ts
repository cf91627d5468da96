/** A YAML file as read, before it is known what its options accept. Offsets are positions in the text. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  readonly kind: 'map';
  readonly names: string[];
  /** Of each name. */
  readonly offsets: number[];
  readonly values: YamlNode[];
}

export interface YamlList {
  readonly kind: 'list';
  /** Of each value; null if it has none. */
  readonly offsets: (number | null)[];
  readonly values: YamlNode[];
}

export interface YamlScalar {
  readonly kind: 'scalar';
  readonly value: unknown;
  /** As written, where it is not quoted. */
  readonly source: string | undefined;
  readonly isPlain: boolean;
}

export const NOTHING: YamlScalar = { kind: 'scalar', value: null, source: '', isPlain: true };
