/** The words of a proxy's HTML page, for the record of a call. */

/** Without tags, and without what a script or a style holds, each of which becomes a space. A tag that is not closed is text. */
export function pageText(html: string): string {
  const words: string[] = [];
  // In lower case some letters are longer; what a page holds beside ASCII plays no part in where its tags are.
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

/** Behind the tag that opens at `open`, of a script or a style behind the tag that closes it; -1 where nothing is closed after this. */
function endOfTag(lower: string, open: number): number {
  const hidden = HIDDEN.find(
    (name) => lower.startsWith(name, open + 1) && !/\w/.test(lower[open + 1 + name.length] ?? ''),
  );
  const closing = hidden === undefined ? -1 : lower.indexOf(`</${hidden}>`, open);
  if (hidden !== undefined && closing !== -1) return closing + hidden.length + 3;
  return lower.indexOf('>', open) + 1 || -1;
}
