/**
 * The cookies of the dashboard: one for the session, one for browsers in which somebody signed in before (device cookie). Over https their
 * names begin with `__Host-`: browsers then accept them only from this host, for all of its paths, and never send them in clear text. Below
 * a path (`https://example.com/llm`) other programs on the host would receive them too: there they are limited to that path, and begin with
 * `__Secure-`, because `__Host-` always covers all paths.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes
 */

/** The scheme and path under which browsers see this installation. */
export interface CookiePlace {
  /** Whether browsers use https; on this machine itself they need not. */
  readonly isSecure: boolean;
  /** `/llm`, or empty at the root of a host. */
  readonly basePath: string;
}

interface CookieNames {
  readonly host: string;
  readonly path: string;
  readonly plain: string;
}

const SESSION: CookieNames = { host: '__Host-turnpike', path: '__Secure-turnpike', plain: 'turnpike-session' };
const DEVICE: CookieNames = {
  host: '__Host-turnpike-device',
  path: '__Secure-turnpike-device',
  plain: 'turnpike-device',
};

/** When the browser deletes it; the server decides when the session ends. */
const MAX_AGE_SECONDS = 30 * 86_400;
/** As long as browsers keep one: https://developer.chrome.com/blog/cookie-max-age-expires */
const DEVICE_MAX_AGE_SECONDS = 400 * 86_400;
const TOKEN = /^[\w-]{20,400}$/;

/** The token of a `Cookie` header; null without one, or if two of them differ. */
export function readSessionCookie(header: string | undefined, place: CookiePlace): string | null {
  return readCookie(header, nameIn(place, SESSION));
}

/** Like `readSessionCookie`. */
export function readDeviceCookie(header: string | undefined, place: CookiePlace): string | null {
  return readCookie(header, nameIn(place, DEVICE));
}

/** A `Set-Cookie` header; null deletes the cookie. */
export function writeSessionCookie(token: string | null, place: CookiePlace): string {
  return writeCookie(nameIn(place, SESSION), token ?? '', place, token === null ? 0 : MAX_AGE_SECONDS);
}

/** A `Set-Cookie` header. */
export function writeDeviceCookie(token: string, place: CookiePlace): string {
  return writeCookie(nameIn(place, DEVICE), token, place, DEVICE_MAX_AGE_SECONDS);
}

function nameIn({ isSecure, basePath }: CookiePlace, names: CookieNames): string {
  if (!isSecure) return names.plain;
  return basePath === '' ? names.host : names.path;
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

function writeCookie(name: string, value: string, { isSecure, basePath }: CookiePlace, maxAgeSeconds: number): string {
  return [
    `${name}=${value}`,
    `Path=${basePath === '' ? '/' : basePath}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
