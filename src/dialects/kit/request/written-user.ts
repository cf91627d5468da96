/** The caller's name for its own user, as OpenAI accepts it. */
import { createHash } from 'node:crypto';

/** In UTF-16 units; OpenAI refuses more. Claude Code sends a JSON text of about 150. */
const USER_LENGTH_MAX = 64;

/** The same user always becomes the same name. */
export function writtenUser(user: string): string {
  if (user.length <= USER_LENGTH_MAX) return user;
  return createHash('sha256').update(user).digest('hex').slice(0, USER_LENGTH_MAX);
}
