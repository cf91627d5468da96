import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import { useAccount, useSession } from '../api/session.ts';
import { classNames } from '../components/class-names.ts';
import { Icon } from '../components/icon.tsx';
import { Link } from '../components/link.tsx';
import { isOpenTo } from '../navigation/is-open-to.ts';
import { menuPath, type PageRoute, pages } from '../routes.tsx';

export function Navigation(): ReactElement {
  const { user } = useSession();
  const hasAccount = useAccount() !== null;
  const entries = pages.filter((route) => route.menu !== undefined && isOpenTo(route, user.is_operator, hasAccount));
  return (
    <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-3 pb-4">
      <ul className="flex flex-col gap-px">
        {entries
          .filter((route) => !route.operator)
          .map((route) => (
            <Entry key={route.path} route={route} />
          ))}
      </ul>
      {user.is_operator && (
        <>
          <h2 className="mt-5 mb-1 px-2 text-xs text-muted">Operator</h2>
          <ul className="flex flex-col gap-px">
            {entries
              .filter((route) => route.operator)
              .map((route) => (
                <Entry key={route.path} route={route} />
              ))}
          </ul>
        </>
      )}
    </nav>
  );
}

function Entry({ route }: { readonly route: PageRoute }): ReactElement {
  const [location] = useLocation();
  const path = menuPath(route);
  const isHere = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  return (
    <li>
      <Link
        href={path}
        plain
        aria-current={isHere ? 'page' : undefined}
        onPointerEnter={() => route.page.preload()}
        className={classNames(
          'flex h-8 items-center gap-2.5 rounded px-2',
          isHere ? 'bg-sunken font-medium text-text' : 'text-muted hover:bg-sunken hover:text-text',
        )}
      >
        <Icon name={route.menu?.icon ?? 'overview'} className={isHere ? 'text-accent-text' : undefined} />
        {route.menu?.label}
      </Link>
    </li>
  );
}
