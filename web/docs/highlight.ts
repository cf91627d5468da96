/**
 * Syntax highlighting with classes (`<span class="code-…">`): comments, strings, numbers, keywords and field names. Not a parser:
 * each language is a list of patterns, and at each position the first one that matches wins.
 */
import { escapeHtml } from './escape.ts';

type Rule = readonly [kind: 'comment' | 'string' | 'number' | 'word' | 'name', pattern: RegExp];

const HASH_COMMENT: Rule = ['comment', /(?<=^|\s)#[^\n]*/y];
const DOUBLE: Rule = ['string', /"(?:[^"\\\n]|\\.)*"/y];
const SINGLE: Rule = ['string', /'(?:[^'\\\n]|\\.)*'/y];
const NUMBER: Rule = ['number', /(?<![\w.-])-?\d[\d_]*(?:\.\d+)?\b(?![\w.-])/y];

const SHELL: readonly Rule[] = [
  HASH_COMMENT,
  DOUBLE,
  ['string', /'[^']*'/y],
  ['name', /(?<=^|[\s;|&(])[A-Z_][A-Z\d_]*(?==)/my],
  ['name', /\$(?:\w+|\{[^}\n]*\})/y],
  [
    'word',
    /(?<=^|\|\s|&&\s|;\s|\bsudo )(?:curl|npm|npx|node|export|cd|git|systemctl|sudo|docker|claude|sqlite3|cp|mkdir)\b/my,
  ],
  ['number', /(?<=\s)--?[a-zA-Z][\w-]*/y],
];

const JAVASCRIPT: readonly Rule[] = [
  ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
  DOUBLE,
  SINGLE,
  ['string', /`(?:[^`\\]|\\.)*`/y],
  [
    'word',
    /\b(?:import|from|export|const|let|await|async|new|return|function|if|else|for|of|in|class|interface|type|readonly|true|false|null|undefined|throw|try|catch)\b/y,
  ],
  ['name', /\b[a-zA-Z_]\w*(?=:\s)/y],
  NUMBER,
];

const PYTHON: readonly Rule[] = [
  HASH_COMMENT,
  DOUBLE,
  SINGLE,
  [
    'word',
    /\b(?:import|from|as|def|return|if|elif|else|for|in|with|class|async|await|True|False|None|try|except|raise|not|and|or|lambda)\b/y,
  ],
  ['name', /\b[a-z_]\w*(?==[^=])/y],
  NUMBER,
];

const JSON_RULES: readonly Rule[] = [
  ['name', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/y],
  DOUBLE,
  ['word', /\b(?:true|false|null)\b/y],
  NUMBER,
];

const YAML: readonly Rule[] = [
  HASH_COMMENT,
  DOUBLE,
  SINGLE,
  ['name', /(?<=^\s*(?:- )*|[{,]\s*)[\w.-]+(?=:(?:\s|$))/my],
  ['word', /(?<=:\s)(?:true|false|null)\b/y],
  NUMBER,
];

const CONFIGURATION: readonly Rule[] = [
  HASH_COMMENT,
  DOUBLE,
  SINGLE,
  ['word', /(?<=^\s*)(?:\[[^\]\n]+\]|[a-z_]+)(?=\s)|(?<=^)\[[^\]\n]+\]/my],
  ['name', /(?<=^)[A-Za-z][\w.-]*(?==)|\$\w+/my],
  NUMBER,
];

const TOML: readonly Rule[] = [
  HASH_COMMENT,
  DOUBLE,
  SINGLE,
  ['word', /^\[+[^\]\n]+\]+/my],
  ['name', /(?<=^\s*)[\w.-]+(?=\s*=)/my],
  NUMBER,
];

const LANGUAGES: Readonly<Record<string, { readonly label: string; readonly rules: readonly Rule[] }>> = {
  sh: { label: 'Shell', rules: SHELL },
  js: { label: 'JavaScript', rules: JAVASCRIPT },
  ts: { label: 'TypeScript', rules: JAVASCRIPT },
  python: { label: 'Python', rules: PYTHON },
  json: { label: 'JSON', rules: JSON_RULES },
  yaml: { label: 'YAML', rules: YAML },
  toml: { label: 'TOML', rules: TOML },
  nginx: { label: 'nginx', rules: CONFIGURATION },
  ini: { label: 'INI', rules: CONFIGURATION },
  caddyfile: { label: 'Caddyfile', rules: CONFIGURATION },
  http: {
    label: 'HTTP',
    rules: [['name', /^[\w-]+(?=:\s)/my], ['word', /^(?:GET|POST|PUT|PATCH|DELETE|HTTP)\b/my], DOUBLE],
  },
  text: { label: '', rules: [] },
};

const ALIASES: Readonly<Record<string, string>> = {
  bash: 'sh',
  shell: 'sh',
  console: 'sh',
  javascript: 'js',
  typescript: 'ts',
  py: 'python',
  yml: 'yaml',
  jsonc: 'json',
  systemd: 'ini',
  caddy: 'caddyfile',
};

/** The label of a language; empty for text. An unknown language keeps its name. */
export function languageLabel(name: string): string {
  return languageOf(name)?.label ?? name;
}

export interface CodePart {
  /** Null for plain text. */
  readonly kind: Rule[0] | null;
  readonly text: string;
}

/** The code as HTML, escaped. */
export function highlight(code: string, name: string): string {
  return codeParts(code, name)
    .map(({ kind, text }) => {
      const html = escapeHtml(text);
      return kind === null ? html : `<span class="code-${kind}">${html}</span>`;
    })
    .join('');
}

export function codeParts(code: string, name: string): readonly CodePart[] {
  const rules = languageOf(name)?.rules ?? [];
  const parts: CodePart[] = [];
  let plain = 0;
  for (let at = 0; at < code.length && rules.length > 0; ) {
    const found = matchAt(code, at, rules);
    if (found === null) {
      at += 1;
      continue;
    }
    if (at > plain) parts.push({ kind: null, text: code.slice(plain, at) });
    parts.push(found);
    at += found.text.length;
    plain = at;
  }
  if (plain < code.length) parts.push({ kind: null, text: code.slice(plain) });
  return parts;
}

function matchAt(code: string, at: number, rules: readonly Rule[]): CodePart | null {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at;
    const text = pattern.exec(code)?.[0];
    if (text !== undefined && text !== '') return { kind, text };
  }
  return null;
}

function languageOf(name: string) {
  const lower = name.toLowerCase();
  return LANGUAGES[ALIASES[lower] ?? lower];
}
