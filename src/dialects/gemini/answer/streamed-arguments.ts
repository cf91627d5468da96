/**
 * The arguments of a function call that arrive in pieces, each with its place in them: `$.items[0].name`. They are returned as a whole.
 *
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
 */
import { asText, type JsonObject } from '../../../core/json-object.ts';

/** A value that is complete, as JSON; a text that may grow; an object; an array. */
type Node = { readonly json: string } | { text: string; isOpen: boolean } | Map<string, Node> | Node[];

export class StreamedArguments {
  readonly #root = new Map<string, Node>();

  /** False if the piece has no value or its place cannot be read. */
  add(piece: JsonObject): boolean {
    const steps = readPath(asText(piece['jsonPath']) ?? '');
    const last = steps?.pop();
    if (steps === null || steps === undefined || last === undefined) return false;
    let at: Node = this.#root;
    for (const [index, step] of steps.entries()) {
      const next = steps[index + 1] ?? last;
      const inner = childOf(at, step);
      if (inner instanceof Map || Array.isArray(inner)) {
        at = inner;
        continue;
      }
      const made: Node = typeof next === 'number' ? [] : new Map();
      if (!setChild(at, step, made)) return false;
      at = made;
    }
    return this.#setValue(at, last, piece);
  }

  /** All of them, as the JSON of an object. */
  json(): string {
    return written(this.#root);
  }

  #setValue(at: Node, step: Step, piece: JsonObject): boolean {
    const { stringValue: text } = piece;
    if (typeof text !== 'string') {
      const json = jsonOf(piece);
      return json !== null && setChild(at, step, { json });
    }
    const known = childOf(at, step);
    const isOpen = piece['willContinue'] === true;
    if (known === undefined || !('text' in known) || !known.isOpen) return setChild(at, step, { text, isOpen });
    known.text += text;
    known.isOpen = isOpen;
    return true;
  }
}

type Step = string | number;

const DEPTH_MAX = 64;
const PATH_LENGTH_MAX = 4096;
const STEP = /\.([^.[\]]+)|\[(\d{1,9})\]|\['([^']*)'\]|\["([^"]*)"\]/y;

/** Null if it is not a path that names a value below the root. */
function readPath(path: string): Step[] | null {
  if (!path.startsWith('$') || path.length > PATH_LENGTH_MAX) return null;
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    if (found === null || steps.length === DEPTH_MAX) return null;
    const [, name, index, quoted, doublyQuoted] = found;
    steps.push(index === undefined ? (name ?? quoted ?? doublyQuoted ?? '') : Number(index));
  }
  return steps.length === 0 ? null : steps;
}

function childOf(parent: Node, step: Step): Node | undefined {
  if (parent instanceof Map) return parent.get(String(step));
  return Array.isArray(parent) && typeof step === 'number' ? parent[step] : undefined;
}

/** The items of an array come in order; a place far beyond its end would be a hole. */
function setChild(parent: Node, step: Step, value: Node): boolean {
  if (parent instanceof Map) {
    parent.set(String(step), value);
    return true;
  }
  if (!Array.isArray(parent) || typeof step !== 'number' || step > parent.length) return false;
  parent[step] = value;
  return true;
}

function jsonOf({ numberValue, boolValue, nullValue }: JsonObject): string | null {
  if (numberValue !== undefined) return JSON.stringify(numberValue);
  if (typeof boolValue === 'boolean') return String(boolValue);
  return nullValue === undefined ? null : 'null';
}

function written(node: Node): string {
  if (node instanceof Map)
    return `{${[...node].map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join(',')}}`;
  if (Array.isArray(node)) return `[${node.map(written).join(',')}]`;
  return 'json' in node ? node.json : JSON.stringify(node.text);
}
