/** Heading anchors as on GitHub, so that links work there and on the site. */

/** For one page: a repeated heading gets `-1`, `-2`, … */
export function newSlugger(): (heading: string) => string {
  const taken = new Map<string, number>();
  return (heading) => {
    const base = slugOf(heading);
    let slug = base;
    for (let count = taken.get(base) ?? 0; taken.has(slug); ) {
      count += 1;
      taken.set(base, count);
      slug = `${base}-${count}`;
    }
    taken.set(slug, taken.get(slug) ?? 0);
    return slug;
  };
}

/** Lower case, spaces to hyphens, no punctuation except `-` and `_`. */
function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
