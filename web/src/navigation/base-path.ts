/** The path of its host below which this dashboard is served (`/llm`); empty at the root. The server writes it into the page. */
export const basePath: string = typeof document === 'undefined' ? '' : readBasePath();

/** A page of the docs, which is the same below every path, has it relative to itself: `../..`. */
function readBasePath(): string {
  const said = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';
  if (!said.startsWith('.')) return said;
  return new URL(said, document.baseURI).pathname.replace(/\/$/, '');
}

/** The path of the current page, as `navigate` takes it: without the base path. */
export function pagePath(): string {
  return withoutBase(window.location.pathname, basePath) ?? '/';
}

/** Null if the path is not below the base. */
export function withoutBase(path: string, base: string): string | null {
  if (base === '') return path;
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : null;
}
