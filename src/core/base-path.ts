/** The path of an installation below its host. */

/** `/llm` of `https://example.com/llm`; empty at the root of a host, or without a public URL. No trailing slash. */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

/**
 * Returns a function that removes the base path from a request's URL: `/llm/v1/messages?x=1` becomes `/v1/messages?x=1`.
 * A URL that does not begin with it is returned unchanged: the proxy has already stripped it. Returns null if the base path is empty.
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
