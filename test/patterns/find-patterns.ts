/** Every regular expression of a TypeScript file, found in its syntax, not in its text. */
import { tsPlugin } from '@sveltejs/acorn-typescript';
import { type Node, Parser } from 'acorn';

export interface Pattern {
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

export interface Patterns {
  readonly literals: readonly Pattern[];
  /** Lines on which one is made from a text while the program runs. */
  readonly dynamic: readonly number[];
}

const parsers = {
  ts: Parser.extend(tsPlugin({ jsx: false })),
  tsx: Parser.extend(tsPlugin({ jsx: true })),
} as const;

export function findPatterns(file: string, text: string): Patterns {
  const literals: Pattern[] = [];
  const dynamic: number[] = [];
  const parser = parsers[file.endsWith('x') ? 'tsx' : 'ts'];
  const visit = (node: Syntax): void => {
    const line = node.loc?.start.line ?? 0;
    if (node.regex !== undefined) literals.push({ line, source: node.regex.pattern, flags: node.regex.flags });
    if (makesPattern(node)) dynamic.push(line);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parser.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }) as Syntax);
  return { literals, dynamic };
}

/** What is read of a node of any kind (ESTree). */
type Syntax = Node & {
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: Syntax;
  readonly name?: string;
  readonly property?: Syntax;
  readonly arguments?: readonly Syntax[];
  readonly value?: unknown;
};

/** `RegExp(…)`, with `new` or without; and string methods that make one of a string argument. */
function makesPattern({ type, callee, arguments: given }: Syntax): boolean {
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  if (callee?.name === 'RegExp' || callee?.property?.name === 'RegExp') return true;
  const method = callee?.type === 'MemberExpression' ? (callee.property?.name ?? '') : '';
  return ['match', 'matchAll', 'search'].includes(method) && typeof given?.[0]?.value === 'string';
}

function childrenOf(node: Syntax): Syntax[] {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value === 'object' && value !== null && typeof value.type === 'string');
}
