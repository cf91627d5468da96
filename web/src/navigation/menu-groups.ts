/** The menu, as a person sees it: the pages they may open, in groups. */
import { type Audience, isOpenTo, type Viewer } from './is-open-to.ts';

/** In menu order; `null` is above the groups, without a heading. */
export const MENU_GROUPS = [null, 'Build', 'Observe', 'Account', 'Operate'] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

interface Listable extends Audience {
  readonly menu?: { readonly group: MenuGroup };
}

/** A route that has an entry in the menu. */
export type MenuEntry<Route extends Listable> = Route & { readonly menu: NonNullable<Route['menu']> };

/** Groups without an open page are left out. Within a group the routes keep their order. */
export function menuGroups<Route extends Listable>(
  routes: readonly Route[],
  viewer: Viewer,
): readonly { readonly group: MenuGroup; readonly entries: readonly MenuEntry<Route>[] }[] {
  const open = menuEntries(routes, viewer);
  return MENU_GROUPS.map((group) => ({ group, entries: open.filter(({ menu }) => menu.group === group) })).filter(
    ({ entries }) => entries.length > 0,
  );
}

/** The same without groups, for the palette and the shortcuts. */
export function menuEntries<Route extends Listable>(
  routes: readonly Route[],
  viewer: Viewer,
): readonly MenuEntry<Route>[] {
  return routes.filter((route): route is MenuEntry<Route> => route.menu !== undefined && isOpenTo(route, viewer));
}
