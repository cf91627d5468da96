/** “On this page”: marks the section that is being read. */
export function readyContents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.page-contents a')];
  if (links.length === 0) return;
  const byAnchor = new Map(links.map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...byAnchor.keys()]
    .map((anchor) => document.getElementById(anchor))
    .filter((heading) => heading !== null);
  const mark = (): void => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < LINE);
    const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
    const read = (atEnd && window.scrollY > 0 ? headings : passed).at(-1) ?? headings[0];
    for (const link of links) link.removeAttribute('aria-current');
    const link = read === undefined ? undefined : byAnchor.get(read.id);
    link?.setAttribute('aria-current', 'true');
  };
  // When a heading enters or leaves the viewport, the current section may change.
  const watch = new IntersectionObserver(mark, { rootMargin: `-${LINE}px 0px 0px 0px` });
  for (const heading of headings) watch.observe(heading);
  window.addEventListener('scrollend', mark);
  mark();
}

/** Headings above this line, in pixels, have been read; the header takes half of it. */
const LINE = 120;
