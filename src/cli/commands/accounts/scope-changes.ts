/** What commands change of a project or an account, and how they report it. */
import type { CommandContext, Flags } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { shownText } from '../../output.ts';
import { nameOf } from '../../read-values.ts';
import { type LimitRow, limitFlags, limitsAsked, limitsText, type PermissionRow } from '../limit-flags.ts';

export const REFERENCE = { parameters: '<id|name>', parameterCount: { min: 1, max: 1 } } as const;

export const changeFlags: Flags = {
  name: { type: 'string', value: '<name>', description: 'New name' },
  ...limitFlags,
};

/** The changes from the flags, as the management API takes them. Throws `UsageError` if there are none, and no `others` either. */
export function changesAsked(
  context: CommandContext,
  command: string,
  others: object = {},
): Readonly<Record<string, unknown>> {
  const name = nameOf(context);
  const asked = limitsAsked(context);
  const changes = [asked.limits, asked.permissions, others];
  if (name === null && changes.every((each) => Object.keys(each).length === 0))
    throw new UsageError(`${command} needs at least one flag with a change`);
  return { ...(name === null ? {} : { name }), ...asked };
}

interface ChangedScope {
  readonly id: number;
  readonly name: string;
  readonly limits: LimitRow;
  readonly permissions: PermissionRow;
}

/** `Project 3 "bots" updated; limits: 9 rpd` */
export function changedText(title: string, scope: ChangedScope, outcome: string): string {
  return `${title} ${scope.id} "${shownText(scope.name)}" ${outcome}; limits: ${limitsText(scope)}`;
}
