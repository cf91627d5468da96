/** Palette search, best match first. */

export interface Findable {
  /** Pages and actions are listed before anything is typed. */
  readonly kind: 'page' | 'action' | 'other';
  readonly group: string;
  readonly label: string;
  readonly detail?: string;
  /** Other words that people search for: `rotate`. */
  readonly words?: string;
}

/** Every word must match. Exact names come first, then names that begin with the text, then names that contain it. */
export function findCommands<Command extends Findable>(commands: readonly Command[], text: string): readonly Command[] {
  const typed = text.trim().toLowerCase();
  if (typed === '') return commands.filter(({ kind }) => kind !== 'other');
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

/** The id of a call, anywhere in pasted text; else null. */
export function callIdIn(text: string): string | null {
  return /\bgen-[\w-]+/.exec(text)?.[0] ?? null;
}
