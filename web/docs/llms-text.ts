/** `llms.txt`: an index of all pages for language models. https://llmstxt.org */
import type { MenuEntry, MenuGroup } from './menu.ts';

/** The server replaces it with its own address. */
export const BASE_MARK = '{base}';

export interface LlmsFacts {
  readonly title: string;
  readonly introduction: string;
  readonly menu: readonly MenuGroup[];
  /** The address of a page's Markdown; null if it has none. */
  readonly twinOf: (path: string) => string | null;
}

export function llmsText({ title, introduction, menu, twinOf }: LlmsFacts): string {
  const line = ({ path, label, description }: MenuEntry): string =>
    `- [${label}](${BASE_MARK}/${twinOf(path) ?? path})${description === '' ? '' : `: ${description}`}`;
  const groups = menu.map(
    ({ label, entries }) =>
      `## ${label}\n\n${entries
        .flatMap((entry) => [entry, ...entry.below])
        .map(line)
        .join('\n')}`,
  );
  const machine = `## For programs\n\n- [OpenAPI document](${BASE_MARK}/openapi.json): every public route, with schemas\n- [All pages in one file](${BASE_MARK}/llms-full.txt)`;
  return `# ${title}\n\n> ${introduction}\n\n${[...groups, machine].join('\n\n')}\n`;
}

/** Search engines may index the documentation, as `llms.txt` lists it, and nothing else of an installation. */
export function robotsText(files: Iterable<string>): string {
  const outside = [...files].filter((file) => !file.startsWith('docs/'));
  const allowed = ['docs', 'assets/', 'llms.txt', 'llms-full.txt', 'openapi.json', ...outside];
  return `User-agent: *\n${allowed.map((path) => `Allow: ${BASE_MARK}/${path}\n`).join('')}Disallow: ${BASE_MARK}/\n`;
}
