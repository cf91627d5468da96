/** Whom somebody counts as where they restrict a key or a project. */
import type { Level } from '../../../accounts/restrictions.ts';
import type { Context } from '../door/handler.ts';

/** A viewer changes nothing; asked all the same, they are as good as a developer. */
export function levelOf({ isOperator, role }: Pick<Context, 'isOperator' | 'role'>): Level {
  if (isOperator) return 'operator';
  return role === 'viewer' ? 'developer' : role;
}
