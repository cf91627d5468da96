/**
 * The cookies of the dashboard: one carries a session, one tells browsers in which somebody signed in before. Over https
 * their names begin with `__Host-`: browsers then take them from this very host alone, for the whole of it, and never send
 * them in the clear. https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */

export const SECURE_COOKIE = '__Host-turnpike';
/** Where there is no https: on this machine itself. */
export const PLAIN_COOKIE = 'turnpike-session';
export const SECURE_DEVICE_COOKIE = '__Host-turnpike-device';
export const PLAIN_DEVICE_COOKIE = 'turnpike-device';

/** When the browser forgets it; when the session ends is the server's to say. */
const MAX_AGE_SECONDS = 30 * 86_400;
/** As long as browsers keep one: https://developer.chrome.com/blog/cookie-max-age-expires */
const DEVICE_MAX_AGE_SECONDS = 400 * 86_400;
const TOKEN = /^[\w-]{20,400}$/;

/** The token of a `Cookie` header; null without one, and where two of them contradict each other. */
export function readSessionCookie(header: string | undefined, isSecure: boolean): string | null {
  return readCookie(header, isSecure ? SECURE_COOKIE : PLAIN_COOKIE);
}

/** As `readSessionCookie`. */
export function readDeviceCookie(header: string | undefined, isSecure: boolean): string | null {
  return readCookie(header, isSecure ? SECURE_DEVICE_COOKIE : PLAIN_DEVICE_COOKIE);
}

/** A `Set-Cookie` header; null takes the cookie away. */
export function writeSessionCookie(token: string | null, isSecure: boolean): string {
  const name = isSecure ? SECURE_COOKIE : PLAIN_COOKIE;
  return writeCookie(name, token ?? '', { isSecure, maxAgeSeconds: token === null ? 0 : MAX_AGE_SECONDS });
}

/** A `Set-Cookie` header. */
export function writeDeviceCookie(token: string, isSecure: boolean): string {
  const name = isSecure ? SECURE_DEVICE_COOKIE : PLAIN_DEVICE_COOKIE;
  return writeCookie(name, token, { isSecure, maxAgeSeconds: DEVICE_MAX_AGE_SECONDS });
}

function readCookie(header: string | undefined, name: string): string | null {
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

function writeCookie(
  name: string,
  value: string,
  { isSecure, maxAgeSeconds }: { readonly isSecure: boolean; readonly maxAgeSeconds: number },
): string {
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
