/** A person who is signed in says the password once more, before something that a stolen session must not do. */
import { GatewayError } from '../core/errors.ts';
import type { Attempts } from './attempts.ts';
import type { Passwords } from './password.ts';
import type { User } from './ports.ts';
import type { Visitor } from './visitor.ts';

export interface PasswordCheckParts {
  readonly attempts: Attempts;
  readonly passwords: Passwords;
}

/** Throws `invalid_value` about the field `param`, `rate_limit_exceeded`, `shedding`. */
export async function checkPassword(
  { attempts, passwords }: PasswordCheckParts,
  visitor: Visitor,
  user: User,
  { password, param }: { readonly password: string; readonly param: string },
): Promise<void> {
  const attempt = attempts.begin('password', user.email, visitor.ip);
  const { isRight } = await passwords.verify(password, user.passwordHash);
  if (!isRight) throw new GatewayError('invalid_value', { message: 'The password is not right.', param });
  attempt.succeeded();
}
