/** Parses the flags of a command; an unknown flag is an error that suggests the nearest name. */
import { parseArgs } from 'node:util';
import { suggestion } from '../config/nearest.ts';
import type { Flags } from './command.ts';
import { UsageError } from './command-errors.ts';

export interface CommandLine {
  /** The last value of each flag. */
  readonly flags: ReadonlyMap<string, string | true>;
  /** All values of repeatable flags. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly parameters: readonly string[];
}

/** A negative amount, which looks like a flag. */
const NEGATIVE = /^-\$?\.?\d/;

function negativeWord(word: string, known: Flags): string {
  const fitting = Object.hasOwn(known, 'amount') ? `write --amount=${word}` : 'negative numbers are not accepted here';
  return `${word} looks like a flag; ${fitting}`;
}

export function readFlags(words: readonly string[], known: Flags): CommandLine {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.entries(known).map(([name, flag]) => [name, { type: flag.type }])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = new Map<string, string | true>();
  const lists = new Map<string, string[]>();
  const parameters: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') parameters.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (flag === undefined) {
      const word = words[token.index] ?? '';
      if (NEGATIVE.test(word)) throw new UsageError(negativeWord(word, known));
      throw new UsageError(`unknown flag ${token.rawName}${suggestion(token.name, Object.keys(known), '--')}`);
    }
    if (flag.type === 'boolean') {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value`);
      flags.set(token.name, true);
      continue;
    }
    // Without `=`, a word that looks like a flag is more likely the next flag than this one's value.
    const isValue = token.value !== undefined && (token.inlineValue || !token.value.startsWith('-'));
    if (!isValue || token.value === '')
      throw new UsageError(`${token.rawName} needs a value: --${token.name} ${flag.value ?? '<value>'}`);
    flags.set(token.name, token.value);
    if (flag.repeatable === true) lists.set(token.name, [...(lists.get(token.name) ?? []), ...token.value.split(',')]);
  }
  return { flags, lists, parameters };
}
