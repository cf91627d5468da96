/** Extracts the text of a proxy's HTML page, for the record of a call. */

/** Replaces each tag, script and style by a space. A tag that is not closed is text. */
export function pageText(html: string): string {
  const words: string[] = [];
  // ASCII only: some other letters are longer in lower case, and tags are ASCII.
  const lower = html.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const close = open === -1 ? -1 : endOfTag(lower, open);
    if (close === -1) break;
    words.push(html.slice(at, open));
    at = close;
  }
  words.push(html.slice(at));
  return words.join(' ');
}

const HIDDEN = ['script', 'style'];

/** The end of the tag at `open`, or of its closing tag for a script or a style; -1 if nothing is closed after it. */
function endOfTag(lower: string, open: number): number {
  const hidden = HIDDEN.find(
    (name) => lower.startsWith(name, open + 1) && !/\w/.test(lower[open + 1 + name.length] ?? ''),
  );
  const closing = hidden === undefined ? -1 : lower.indexOf(`</${hidden}>`, open);
  if (hidden !== undefined && closing !== -1) return closing + hidden.length + 3;
  return lower.indexOf('>', open) + 1 || -1;
}
