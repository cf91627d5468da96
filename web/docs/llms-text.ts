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

/** Search engines may index the documentation, and nothing else of an installation. */
export const ROBOTS_TEXT = `User-agent: *
Allow: ${BASE_MARK}/docs
Allow: ${BASE_MARK}/assets/
Allow: ${BASE_MARK}/llms.txt
Allow: ${BASE_MARK}/llms-full.txt
Disallow: ${BASE_MARK}/
`;
