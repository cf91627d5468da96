/** Scrolls the box, and not the page, so that the entry is in sight; an entry that is already in sight stays where it is. */
export function reveal(box: HTMLElement, entry: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), entry.getBoundingClientRect()];
  if (inner.top >= outer.top + MARGIN && inner.bottom <= outer.bottom - MARGIN) return;
  box.scrollTop += inner.top + inner.height / 2 - (outer.top + outer.height / 2);
}

/** Pixels to the edge of the box, so that the neighbours of the entry are in sight, too. */
const MARGIN = 40;
