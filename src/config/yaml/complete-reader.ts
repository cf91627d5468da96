/** Reads any YAML 1.2, and explains what is not. Aliases share the node that they repeat. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { NOTHING, type YamlNode } from './yaml-node.ts';

export interface Mistake {
  readonly offset: number;
  readonly message: string;
}

/** The root of the file, or what is wrong with it. */
export function readCompletely(text: string): YamlNode | readonly Mistake[] {
  const document = parseDocument(text, { lineCounter: new LineCounter(), prettyErrors: false });
  if (document.errors.length === 0) return simplify(document);
  return document.errors.map(({ pos, message }) => ({ offset: pos[0], message: message.split('\n')[0] ?? message }));
}

function simplify({ contents }: Document.Parsed): YamlNode {
  const anchors = new Map<string, YamlNode>();
  return node(contents);

  function node(read: unknown): YamlNode {
    if (isAlias(read)) return anchors.get(read.source) ?? NOTHING;
    const anchor = isNode(read) && 'anchor' in read ? read.anchor : undefined;
    const note = <Made extends YamlNode>(made: Made): Made => {
      // Before what is in it, which may have an alias to it.
      if (anchor !== undefined) anchors.set(anchor, made);
      return made;
    };
    if (isMap(read)) {
      const map = note({ kind: 'map', names: [] as string[], offsets: [] as number[], values: [] as YamlNode[] });
      for (const { key, value } of read.items) {
        map.names.push(String(isScalar(key) ? key.value : key));
        map.offsets.push(offsetOf(key) ?? 0);
        // A name can have an anchor, too.
        node(key);
        map.values.push(node(value));
      }
      return map;
    }
    if (isSeq(read)) {
      const list = note({ kind: 'list', offsets: [] as (number | null)[], values: [] as YamlNode[] });
      for (const item of read.items) {
        list.offsets.push(offsetOf(item));
        list.values.push(node(item));
      }
      return list;
    }
    if (!isScalar(read)) return NOTHING;
    return note({ kind: 'scalar', value: read.value, source: read.source, isPlain: read.type === 'PLAIN' });
  }
}

function offsetOf(read: unknown): number | null {
  return isNode(read) ? (read.range?.[0] ?? null) : null;
}
