/** “On this page”: marks the section that is being read, and keeps it in sight. */
import { reveal } from './reveal.ts';

export function readyContents(): void {
  const contents = document.querySelector<HTMLElement>('.page-contents');
  const links = [...(contents?.querySelectorAll('a') ?? [])];
  if (contents === null || links.length === 0) return;
  const byAnchor = new Map(links.map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...byAnchor.keys()]
    .map((anchor) => document.getElementById(anchor))
    .filter((heading) => heading !== null);
  let marked: HTMLAnchorElement | null = null;
  const mark = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < LINE);
    const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const read = (atEnd && window.scrollY > 0 ? headings : passed).at(-1) ?? headings[0];
    const link = read === undefined ? undefined : byAnchor.get(read.id);
    if (link === undefined || link === marked) return;
    marked?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    marked = link;
    reveal(contents, link);
  };
  // When a heading enters or leaves the viewport, the current section may change.
  const watch = new IntersectionObserver(mark, { rootMargin: `-${LINE}px 0px 0px 0px` });
  for (const heading of headings) watch.observe(heading);
  window.addEventListener('scrollend', mark);
  mark();
}

/** Headings above this line, in pixels, have been read; the header takes half of it. */
const LINE = 120;
