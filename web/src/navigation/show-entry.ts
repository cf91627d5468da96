/** Part of the entry before and after it is seen, too, in pixels: there are more. */
const MARGIN = 20;

/**
 * Scrolls what holds an entry of a menu so far that the entry is seen. `scrollIntoView` would also make it the place from which the next Tab goes on,
 * past the link that skips the menu: https://html.spec.whatwg.org/multipage/interaction.html#sequential-focus-navigation-starting-point
 */
export function showEntry(entry: Element): void {
  const holder = scrollerOf(entry);
  if (holder === null) return;
  const inside = entry.getBoundingClientRect();
  const around = holder.getBoundingClientRect();
  const above = around.top + MARGIN - inside.top;
  const below = inside.bottom + MARGIN - around.bottom;
  if (above > 0) holder.scrollTop -= above;
  else if (below > 0) holder.scrollTop += below;
}

/** The closest element around it that scrolls; null if all of it is seen. */
function scrollerOf(entry: Element): Element | null {
  for (let holder = entry.parentElement; holder !== null; holder = holder.parentElement) {
    const { overflowY } = getComputedStyle(holder);
    if (holder.scrollHeight > holder.clientHeight && (overflowY === 'auto' || overflowY === 'scroll')) return holder;
  }
  return null;
}
