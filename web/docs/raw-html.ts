/** Raw HTML in Markdown: a few harmless tags are kept without attributes, comments are removed, everything else is shown as text. */
import { escapeHtml } from './escape.ts';

const ALLOWED = ['br', 'kbd', 'sub', 'sup', 'details', 'summary'];
const PART = /<!--[\s\S]*?-->|<\/?([a-z]+)\s*\/?>/gi;

export function cleanHtml(html: string): string {
  let cleaned = '';
  let end = 0;
  for (const match of html.matchAll(PART)) {
    cleaned += escapeHtml(html.slice(end, match.index));
    end = match.index + match[0].length;
    const name = match[1]?.toLowerCase();
    if (name === undefined) continue;
    cleaned += ALLOWED.includes(name) ? `<${match[0].startsWith('</') ? '/' : ''}${name}>` : escapeHtml(match[0]);
  }
  return cleaned + escapeHtml(html.slice(end));
}

/** Its text, without tags and comments. */
export function textOfHtml(html: string): string {
  return html.replace(PART, (part, name?: string) =>
    name === undefined || ALLOWED.includes(name.toLowerCase()) ? '' : part,
  );
}
