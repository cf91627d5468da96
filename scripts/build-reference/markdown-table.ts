/** A table in Markdown; an empty cell stays empty. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

/** `a`, `b`, `c`, each as code. */
export function codeList(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}
