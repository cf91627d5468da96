/** The commands of a console block: lines after `$ ` (or root's `# `) with the lines that continue them, without prompts and output. */

/** A block without a prompt is returned as it is. Ends without a line break. */
export function consoleCommands(block: string): string {
  const prompt = /^[$#] /.exec(block)?.[0];
  if (prompt === undefined) return block;
  const commands: string[] = [];
  let open: Open | null = null;
  for (const line of block.split('\n')) {
    const text: string | null = open !== null ? line : line.startsWith(prompt) ? line.slice(prompt.length) : null;
    if (text === null) continue;
    commands.push(text);
    open = afterLine(text, open);
  }
  return commands.join('\n');
}

/** Why a command continues on the next line: a backslash, a quote that is still open, or a here-document until its last line. */
type Open = { readonly quote: '"' | "'" | '' } | { readonly until: string };

function afterLine(text: string, open: Open | null): Open | null {
  if (open !== null && 'until' in open) return text.trim() === open.until ? null : open;
  let quote = open?.quote ?? '';
  let isEscaped = false;
  for (const letter of text) {
    if (isEscaped) isEscaped = false;
    else if (letter === '\\' && quote !== "'") isEscaped = true;
    else if (letter === quote) quote = '';
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
  }
  if (quote !== '' || isEscaped) return { quote };
  const until = /<<-?\s*["']?(\w+)/.exec(text)?.[1];
  return until === undefined ? null : { until };
}
