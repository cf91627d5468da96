/** What the palette shows for a text, best first. */

export interface Findable {
  readonly group: string;
  readonly label: string;
  readonly detail?: string;
  /** Other words that people look for it by: `rotate`. */
  readonly words?: string;
}

/** Every word must be found. The exact name comes first, then what begins with the text, then what has it in its name. */
export function findCommands<Command extends Findable>(commands: readonly Command[], text: string): readonly Command[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return commands.filter(({ group }) => group === 'Pages' || group === 'Actions');
  const words = typed.split(/\s+/);
  return commands
    .filter((command) => {
      const whole = `${command.label} ${command.detail ?? ''} ${command.words ?? ''} ${command.group}`.toLowerCase();
      return words.every((word) => whole.includes(word));
    })
    .map((command) => ({ command, rank: rankOf(command, typed) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

function rankOf({ label, detail }: Findable, typed: string): number {
  const name = label.toLowerCase();
  if (name === typed || detail?.toLowerCase() === typed) return 0;
  if (name.startsWith(typed)) return 1;
  return name.includes(typed) ? 2 : 3;
}

/** The id of a call that was pasted, wherever it stands in the text; else null. */
export function callIdIn(text: string): string | null {
  return /\bgen-[\w-]+/.exec(text)?.[0] ?? null;
}
