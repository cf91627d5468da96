import type { CommandContext } from './command.ts';
import { UsageError } from './command-errors.ts';

export interface Question {
  /** What will happen, as a whole sentence. */
  readonly sentence: string;
  /** For a person who says no: what did not happen. */
  readonly declined: string;
}

/**
 * Resolves if a person at the terminal says yes, or the command line has `--yes`, which the command must declare. Otherwise throws
 * `UsageError`: a script that nobody watches must not do by accident what cannot be undone.
 */
export async function confirm(context: CommandContext, { sentence, declined }: Question): Promise<void> {
  if (context.has('yes')) {
    if (!context.json) context.terminal.note(sentence);
    return;
  }
  const answer = await context.terminal.ask?.(`${sentence} Go on? [y/N] `);
  if (answer === undefined) throw new UsageError(`${sentence} Add --yes to go on`);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError(declined);
}
