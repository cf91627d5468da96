/** Resolves the links of Markdown files for the site. */
import { posix } from 'node:path';

export type LinkTarget =
  | { readonly kind: 'outside'; readonly href: string }
  /** A page of the site; `file` is its Markdown. `anchor` is empty if the link has none. */
  | { readonly kind: 'page'; readonly file: string; readonly anchor: string }
  /** A file that is served as it is: a picture, an example. */
  | { readonly kind: 'file'; readonly file: string }
  /** A file of the repository that is not on the site: source code. */
  | { readonly kind: 'repository'; readonly file: string };

/** Files that are published if a page links to them. */
const PUBLISHED = /\.(png|svg|jpg|webp|gif|yaml|yml|json|txt)$/;

/** `file`: the Markdown file with the link; `isPage`: whether a file is a page of the site. */
export function targetOf(href: string, file: string, isPage: (file: string) => boolean): LinkTarget {
  if (/^(https?:|mailto:)/.test(href)) return { kind: 'outside', href };
  const [path = '', anchor = ''] = href.split('#', 2);
  if (path === '') return { kind: 'page', file, anchor };
  const target = posix.normalize(posix.join(posix.dirname(file), decodeURI(path))).replace(/\/$/, '');
  const page = [target, posix.join(target, 'README.md')].find(isPage);
  if (page !== undefined) return { kind: 'page', file: page, anchor };
  return { kind: PUBLISHED.test(target) ? 'file' : 'repository', file: target };
}

/** A relative link from one page to another, which works below any base path: `../reference/errors`. */
export function relativeHref(from: string, to: string): string {
  const href = posix.relative(posix.dirname(from), to);
  if (to === '.') return href === '' ? '.' : href;
  // `..` would resolve to an address with a trailing slash.
  return /(^|\/)(\.\.)?$/.test(href) ? posix.join(href, '..', posix.basename(to)) : href;
}

/** The relative path from a page to the site's root: `../..` for `docs/guide/limits`. */
export function rootFrom(path: string): string {
  return '../'.repeat(path.split('/').length - 1).replace(/\/$/, '') || '.';
}
