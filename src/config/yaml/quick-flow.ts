/** A list or group in brackets, as in JSON, with or without quotes, for `quick-reader.ts`. */
import { plainScalar } from './plain-value.ts';
import { NotQuick, quotedScalar, readName, readQuoted } from './quick-scalar.ts';
import type { YamlList, YamlMap, YamlNode } from './yaml-node.ts';

const DEPTH_MAX = 100;
/** Without spaces; a dash or a dot begins only a number, so that it is no mark between documents. */
const PLAIN = /(?:[-+]?\.?[0-9]|[A-Za-z_])[\w.+/-]*/y;

interface Open {
  readonly node: YamlMap | YamlList;
  readonly names: Set<string>;
}

export class QuickFlow {
  readonly root: YamlNode;
  readonly #text: string;
  /** Lines after the first are indented by more than this. */
  readonly #indent: number;
  readonly #open: Open[] = [];
  #at: number;

  /** `at` is that of the bracket. */
  constructor(text: string, at: number, indent: number) {
    this.#text = text;
    this.#at = at;
    this.#indent = indent;
    this.root = this.#begin();
    this.#closeIfEmpty();
  }

  /** After it, when `step` has returned true. */
  get end(): number {
    return this.#at;
  }

  /** Reads the next entry; true if it was the last. */
  step(): boolean {
    const top = this.#open.at(-1);
    if (top === undefined) return true;
    this.#skip();
    if (top.node.kind === 'map') this.#name(top);
    else top.node.offsets.push(this.#at);
    this.#value(top.node);
    return this.#open.length === 0;
  }

  #name({ node, names }: Open): void {
    const name = readName(this.#text, this.#at);
    if (name === null || node.kind !== 'map' || names.has(name.value)) throw new NotQuick();
    const isQuoted = this.#text[this.#at] === '"' || this.#text[this.#at] === "'";
    names.add(name.value);
    node.names.push(name.value);
    node.offsets.push(this.#at);
    this.#at = name.end;
    while (this.#text[this.#at] === ' ') this.#at += 1;
    if (this.#text[this.#at] !== ':') throw new NotQuick();
    this.#at += 1;
    const after = this.#text[this.#at];
    if (!isQuoted && after !== ' ' && after !== '\n') throw new NotQuick();
    this.#skip();
  }

  #value({ values }: YamlMap | YamlList): void {
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') {
      values.push(this.#begin());
      this.#closeIfEmpty();
      return;
    }
    if (first === '"' || first === "'") {
      const { value, end } = readQuoted(this.#text, this.#at);
      values.push(quotedScalar(value));
      this.#at = end;
    } else {
      PLAIN.lastIndex = this.#at;
      const plain = PLAIN.exec(this.#text)?.[0];
      if (plain === undefined) throw new NotQuick();
      values.push(plainScalar(plain));
      this.#at += plain.length;
    }
    this.#separate();
  }

  #begin(): YamlMap | YamlList {
    const node: YamlMap | YamlList =
      this.#text[this.#at] === '{'
        ? { kind: 'map', names: [], offsets: [], values: [] }
        : { kind: 'list', offsets: [], values: [] };
    if (this.#open.push({ node, names: new Set() }) > DEPTH_MAX) throw new NotQuick();
    this.#at += 1;
    return node;
  }

  #closeIfEmpty(): void {
    this.#skip();
    const next = this.#text[this.#at];
    if (next === '}' || next === ']') this.#separate();
  }

  /** Closes what ends here, then expects a comma unless everything is closed. */
  #separate(): void {
    for (;;) {
      const top = this.#open.at(-1);
      if (top === undefined) return;
      this.#skip();
      const next = this.#text[this.#at];
      this.#at += 1;
      if (next === ',') return;
      if (next !== (top.node.kind === 'map' ? '}' : ']')) throw new NotQuick();
      this.#open.pop();
    }
  }

  /** Spaces and line breaks; a comment or a tab is not taken. */
  #skip(): void {
    for (let lineAt = -1; ; this.#at += 1) {
      const next = this.#text[this.#at];
      if (next === '\n') lineAt = this.#at + 1;
      else if (next !== ' ') {
        if (lineAt !== -1 && this.#at - lineAt <= this.#indent) throw new NotQuick();
        return;
      }
    }
  }
}
