/**
 * The cookie that carries a session. Over https its name begins with `__Host-`: browsers then take it from this very
 * host alone, for the whole of it, and never send it in the clear.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */

export const SECURE_COOKIE = '__Host-turnpike';
/** Where there is no https: on this machine itself. */
export const PLAIN_COOKIE = 'turnpike-session';

/** When the browser forgets it; when the session ends is the server's to say. */
const MAX_AGE_SECONDS = 30 * 86_400;
const TOKEN = /^[\w-]{20,200}$/;

/** The token of a `Cookie` header; null without one, and where two of them contradict each other. */
export function readSessionCookie(header: string | undefined, isSecure: boolean): string | null {
  const name = isSecure ? SECURE_COOKIE : PLAIN_COOKIE;
  const values = new Set(
    (header ?? '')
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${name}=`))
      .map((part) => part.slice(name.length + 1)),
  );
  const [token] = values;
  return values.size === 1 && token !== undefined && TOKEN.test(token) ? token : null;
}

/** A `Set-Cookie` header; null takes the cookie away. */
export function writeSessionCookie(token: string | null, isSecure: boolean): string {
  return [
    `${isSecure ? SECURE_COOKIE : PLAIN_COOKIE}=${token ?? ''}`,
    'Path=/',
    `Max-Age=${token === null ? 0 : MAX_AGE_SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
