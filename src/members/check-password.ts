/** Asks a signed-in person for the password again, before changes that a stolen session must not make. */
import { GatewayError } from '../core/errors.ts';
import type { Attempts } from './attempts.ts';
import type { Devices } from './devices.ts';
import type { Passwords } from './password.ts';
import type { User } from './ports.ts';
import type { Visitor } from './visitor.ts';

export interface PasswordCheckParts {
  readonly attempts: Attempts;
  readonly passwords: Passwords;
  readonly devices: Devices;
}

/** Throws `invalid_value` for the field `param`, `rate_limit_exceeded`, `shedding`. */
export async function checkPassword(
  { attempts, passwords, devices }: PasswordCheckParts,
  visitor: Visitor,
  user: User,
  { password, param }: { readonly password: string; readonly param: string },
): Promise<void> {
  const source = { address: visitor.ip, device: devices.find(visitor.deviceToken, user.email) };
  const attempt = await attempts.begin('password', user.email, source);
  const { isCorrect } = await passwords.verify(password, user.passwordHash, {
    lane: 'known',
    owner: user.email,
  });
  if (!isCorrect) throw new GatewayError('invalid_value', { message: 'The password is incorrect.', param });
  await attempt.succeeded();
}
