/** Where an installation stands below its host. */

/** `/llm` of `https://example.com/llm`; empty at the root of a host, and without an address. No slash at its end. */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/**
 * Takes the base path off a request's address, where a proxy has left it there: `/llm/v1/messages?x=1` is `/v1/messages?x=1`.
 * One that does not begin with it stays as it is: then the proxy has taken it off. Without a base path there is nothing to do: null.
 */
export function basePathRemover(basePath: string): ((url: string) => string) | null {
  if (basePath === '') return null;
  const length = basePath.length;
  return (url) => {
    if (!url.startsWith(basePath)) return url;
    const next = url.charCodeAt(length);
    if (next === SLASH) return url.slice(length);
    if (url.length === length) return '/';
    return next === QUESTION_MARK ? `/${url.slice(length)}` : url;
  };
}

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
