/** The level of an actor when they restrict a key or a project. */
import type { Level } from '../../../accounts/restrictions.ts';
import type { Context } from '../door/handler.ts';

/** A viewer cannot change anything; as a fallback they count as a developer. */
export function levelOf({ isOperator, role }: Pick<Context, 'isOperator' | 'role'>): Level {
  if (isOperator) return 'operator';
  return role === 'viewer' ? 'developer' : role;
}
