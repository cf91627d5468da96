/** The repository's Markdown files, and their addresses on the site. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface SourcePage {
  /** Its path in the repository, which is also the address of its Markdown: `docs/guide/limits.md`. */
  readonly file: string;
  /** Its address on the site, without the first slash: `docs/guide/limits`. */
  readonly path: string;
  readonly markdown: string;
}

/** Pages outside `docs/`, with their addresses. */
const ROOT_PAGES: Readonly<Record<string, string>> = {
  'README.md': 'docs/readme',
  'GLOSSARY.md': 'docs/glossary',
  'ARCHITECTURE.md': 'docs/architecture',
  'CONTRIBUTING.md': 'docs/contributing',
  'SECURITY.md': 'docs/security',
  'CHANGELOG.md': 'docs/changelog',
  'bench/README.md': 'docs/benchmarks',
};

/** Every page of the repository, whose folder is `root`. */
export function readSourcePages(root: string): readonly SourcePage[] {
  const below = existsSync(join(root, 'docs'))
    ? readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .map((name) => posix.join('docs', name.replaceAll('\\', '/')))
        .filter((file) => file.endsWith('.md'))
        .sort()
    : [];
  return [...Object.keys(ROOT_PAGES), ...below]
    .filter((file) => existsSync(join(root, file)))
    .map((file) => ({ file, path: sitePath(file), markdown: readFileSync(join(root, file), 'utf8') }));
}

/** A folder's `README.md` is the page of the folder. */
function sitePath(file: string): string {
  return ROOT_PAGES[file] ?? file.replace(/\.md$/, '').replace(/\/README$/, '');
}
