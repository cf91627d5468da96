/** Below which path of its host this dashboard stands (`/llm`); empty at the root. The server writes it into the page. */
export const basePath: string =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '');

/** The path of the page that is shown, as `navigate` takes it: without the base path. */
export function pagePath(): string {
  return withoutBase(window.location.pathname, basePath) ?? '/';
}

/** Null where the path is none below the base. */
export function withoutBase(path: string, base: string): string | null {
  if (base === '') return path;
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : null;
}
