/**
 * Reads the notations that nearly every configuration file keeps to, some ten times as fast as a complete YAML reader, and in steps:
 * groups and lists by indentation or in brackets, quoted and plain text on one line, comments. It takes nothing that it could read
 * differently from the complete one, and reports no faults: for anything else (anchors, tags, text of several lines, tabs, mistakes)
 * the result is null, and the complete reader reads or explains it.
 */
import type { Steps } from '../../core/turns/steps.ts';
import { plainScalar } from './plain-value.ts';
import { QuickFlow } from './quick-flow.ts';
import { NotQuick, quotedScalar, readName, readQuoted } from './quick-scalar.ts';
import { NOTHING, type YamlList, type YamlMap, type YamlNode } from './yaml-node.ts';

/** Lines, or entries in brackets: about a millisecond. */
const STEP_ENTRIES = 2_000;
const DEPTH_MAX = 100;
/** Other line breaks, tabs, and what may stand at the beginning of a file. */
const FOREIGN = ['\r', '\t', '\0', '\ufeff', '\u0085', '\u2028', '\u2029'];

/** The root of the file, or null if only the complete reader can read it. */
export function* readQuickly(text: string): Steps<YamlNode | null> {
  if (FOREIGN.some((mark) => text.includes(mark))) return null;
  yield;
  const reader = new QuickReader(text);
  try {
    for (let entry = 1; !reader.step(); entry += 1) if (entry % STEP_ENTRIES === 0) yield;
    return reader.root;
  } catch (error) {
    if (error instanceof NotQuick) return null;
    throw error;
  }
}

interface Open {
  readonly node: YamlMap | YamlList;
  readonly indent: number;
  readonly names: Set<string>;
  /** Whether the value of the last name comes on later lines, if at all. */
  isPending: boolean;
}

class QuickReader {
  root: YamlNode | null = null;
  readonly #text: string;
  readonly #open: Open[] = [];
  #flow: QuickFlow | null = null;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads a line, or an entry in brackets; true at the end. */
  step(): boolean {
    if (this.#flow !== null) {
      if (!this.#flow.step()) return false;
      this.#at = this.#flow.end;
      this.#flow = null;
      this.#endLine();
      return false;
    }
    if (this.#at >= this.#text.length) {
      while (this.#open.length > 0) this.#close();
      return true;
    }
    const lineAt = this.#at;
    while (this.#text[this.#at] === ' ') this.#at += 1;
    const first = this.#text[this.#at];
    if (first === '\n' || first === '#' || first === undefined) this.#endLine(true);
    else this.#line(lineAt, this.#at - lineAt);
    return false;
  }

  #line(lineAt: number, indent: number): void {
    const isDash = this.#isDash();
    if (indent === 0 && !isDash && /[-.%]/.test(this.#text[this.#at] as string)) throw new NotQuick();
    if (this.root === null) return this.#firstLine(lineAt, indent, isDash);
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      // The dashes of a list may stand below the name that it belongs to.
      const isOver = top.indent > indent || (top.indent === indent && top.node.kind === 'list' && !isDash);
      if (!isOver) break;
      this.#close();
    }
    const top = this.#open.at(-1);
    if (top === undefined) throw new NotQuick();
    const begins = top.indent < indent || (top.node.kind === 'map' && isDash);
    if (!begins) {
      if (top.isPending) this.#fill(top, NOTHING);
      return this.#entry(top, lineAt);
    }
    if (!top.isPending) throw new NotQuick();
    this.#entry(this.#begin(top, isDash, indent), lineAt);
  }

  #firstLine(lineAt: number, indent: number, isDash: boolean): void {
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') {
      this.#flow = new QuickFlow(this.#text, this.#at, -1);
      this.root = this.#flow.root;
      return;
    }
    this.#entry(this.#begin(null, isDash, indent), lineAt);
  }

  #begin(parent: Open | null, isList: boolean, indent: number): Open {
    const node: YamlMap | YamlList = isList
      ? { kind: 'list', offsets: [], values: [] }
      : { kind: 'map', names: [], offsets: [], values: [] };
    if (parent === null) this.root = node;
    else this.#fill(parent, node);
    const opened = { node, indent, names: new Set<string>(), isPending: false };
    if (this.#open.push(opened) > DEPTH_MAX) throw new NotQuick();
    return opened;
  }

  #fill(open: Open, value: YamlNode): void {
    open.node.values.push(value);
    open.isPending = false;
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed?.isPending) this.#fill(closed, NOTHING);
  }

  /** An item after its dash, or a name with its value. */
  #entry(open: Open, lineAt: number): void {
    if (open.node.kind === 'list') {
      this.#at += 1;
      this.#skipSpaces();
      open.node.offsets.push(this.#at);
      if (this.#isLineOver() || this.#isDash()) throw new NotQuick();
      const name = this.#name();
      if (name === null) return this.#value(open);
      open.isPending = true;
      return this.#named(this.#begin(open, false, this.#at - lineAt), name);
    }
    const name = this.#name();
    if (name === null) throw new NotQuick();
    this.#named(open, name);
  }

  /** A name whose colon follows; null if a value is here. */
  #name(): { readonly value: string; readonly end: number } | null {
    const name = readName(this.#text, this.#at);
    if (name === null || this.#text[name.end] !== ':') return null;
    const after = this.#text[name.end + 1];
    return after === ' ' || after === '\n' || after === undefined ? name : null;
  }

  #named(open: Open, name: { readonly value: string; readonly end: number }): void {
    if (open.node.kind !== 'map' || open.names.has(name.value)) throw new NotQuick();
    open.names.add(name.value);
    open.node.names.push(name.value);
    open.node.offsets.push(this.#at);
    this.#at = name.end + 1;
    this.#skipSpaces();
    if (!this.#isLineOver()) return this.#value(open);
    open.isPending = true;
    this.#endLine();
  }

  #value(open: Open): void {
    const first = this.#text[this.#at] as string;
    if (first === '{' || first === '[') {
      this.#flow = new QuickFlow(this.#text, this.#at, open.indent);
      this.#fill(open, this.#flow.root);
      return;
    }
    if (first === '"' || first === "'") {
      const { value, end } = readQuoted(this.#text, this.#at);
      this.#fill(open, quotedScalar(value));
      this.#at = end;
    } else this.#fill(open, plainScalar(this.#plain()));
    this.#endLine();
  }

  #plain(): string {
    const lineEnd = this.#lineEnd();
    const line = this.#text.slice(this.#at, lineEnd);
    const comment = line.indexOf(' #');
    let end = comment === -1 ? line.length : comment;
    // Other kinds of space are part of the text.
    while (line[end - 1] === ' ') end -= 1;
    const plain = line.slice(0, end);
    const isPlain = !/^[-?:,[\]{}#&*!|>'"%@`]/.test(plain) || /^-[^\s]/.test(plain);
    if (!isPlain || plain.includes(': ') || plain.endsWith(':')) throw new NotQuick();
    this.#at += plain.length;
    return plain;
  }

  #isDash(): boolean {
    const after = this.#text[this.#at + 1];
    return this.#text[this.#at] === '-' && (after === ' ' || after === '\n' || after === undefined);
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at += 1;
  }

  /** A comment needs a space before it. */
  #isLineOver(): boolean {
    const next = this.#text[this.#at];
    return next === undefined || next === '\n' || (next === '#' && this.#text[this.#at - 1] === ' ');
  }

  /** Goes to the next line; only a comment may be left on this one. */
  #endLine(isBlank = false): void {
    this.#skipSpaces();
    if (!isBlank && !this.#isLineOver()) throw new NotQuick();
    this.#at = this.#lineEnd() + 1;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end === -1 ? this.#text.length : end;
  }
}
