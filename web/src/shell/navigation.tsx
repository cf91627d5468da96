import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useViewer } from '../api/session.ts';
import { classNames } from '../components/class-names.ts';
import { Icon } from '../components/icon.tsx';
import { Link } from '../components/link.tsx';
import { basePath } from '../navigation/base-path.ts';
import { type MenuEntry, menuGroups } from '../navigation/menu-groups.ts';
import { showEntry } from '../navigation/show-entry.ts';
import { type MenuRoute, menuPath, menuRoutes } from '../routes.tsx';

/** The main menu: groups of the pages that the person may open. */
export function Navigation(): ReactElement {
  const groups = menuGroups(menuRoutes, useViewer());
  const [location] = useLocation();
  const menu = useRef<HTMLElement>(null);
  // A low window shows a part of the menu only. In narrow ones it is the drawer around it that scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another entry.
  useLayoutEffect(() => {
    const here = menu.current?.querySelector('[aria-current="page"]');
    if (here != null) showEntry(here);
  }, [location]);
  return (
    <nav ref={menu} aria-label="Main" className="flex min-h-0 flex-1 flex-col gap-3.5 overflow-y-auto px-3 pb-4">
      {groups.map(({ group, entries }) => (
        <div key={group}>
          {group !== null && <h2 className="mb-1 px-2 text-xs text-muted">{group}</h2>}
          <ul className="flex flex-col gap-px">
            {entries.map((entry) => (
              <Entry key={entry.path} entry={entry} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry<MenuRoute> }): ReactElement {
  const [location] = useLocation();
  const path = menuPath(entry);
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  const classes = classNames(
    'flex h-8 items-center gap-2.5 rounded px-2',
    isHere ? 'bg-sunken font-medium text-text' : 'text-muted hover:bg-sunken hover:text-text',
  );
  const content = (
    <>
      <Icon name={entry.menu.icon} className={isHere ? 'text-accent-text' : undefined} />
      {entry.menu.label}
    </>
  );
  const { page } = entry;
  return (
    <li>
      {page === undefined ? (
        <a href={`${basePath}${path}`} className={classes}>
          {content}
        </a>
      ) : (
        <Link
          href={path}
          plain
          aria-current={isHere ? 'page' : undefined}
          onPointerEnter={() => page.preload()}
          className={classes}
        >
          {content}
        </Link>
      )}
    </li>
  );
}
