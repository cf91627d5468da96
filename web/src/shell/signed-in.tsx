import { type ReactElement, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useConnection } from '../api/connection.ts';
import { useAccount, useSession, useSessionQuery } from '../api/session.ts';
import { noteSessionEnd } from '../api/session-end.ts';
import { EmptyState, ErrorState, LinkButton, PageHeader, preloadMenus } from '../components/index.ts';
import { pagePath } from '../navigation/base-path.ts';
import { isOpenTo } from '../navigation/is-open-to.ts';
import { useZone } from '../navigation/use-zone.ts';
import { pages } from '../routes.tsx';
import { ClosedNote } from './closed-note.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Shell } from './shell.tsx';

/** The pages for who is signed in; everybody else is led to the sign-in page, and back from there. */
export function SignedIn(): ReactElement | null {
  const { data, error, refetch } = useSessionQuery();
  const [location] = useLocation();
  const zone = useZone();
  const wasSignedIn = useRef(false);
  const isSignedIn = data === undefined ? null : data.user !== null;
  // Whoever signs out is led away from here first.
  useLayoutEffect(() => {
    if (isSignedIn === false && wasSignedIn.current) noteSessionEnd();
    if (isSignedIn !== null) wasSignedIn.current = isSignedIn;
  }, [isSignedIn]);
  if (data === undefined) {
    return error === null ? null : <ErrorState error={error} retry={() => void refetch()} />;
  }
  if (data.user === null) {
    const wanted = `${pagePath()}${window.location.search}`;
    return <Redirect to={wanted === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(wanted)}`} replace />;
  }
  return (
    <Shell>
      <PageBoundary place={location}>
        <Suspense fallback={null}>
          <Pages key={zone} />
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

function Pages(): ReactElement {
  const { user } = useSession();
  const account = useAccount();
  usePreloading();
  return (
    <Switch>
      {pages
        .filter((route) => isOpenTo(route, user.is_operator, account !== null))
        .map(({ path, page: Page, operator }) => (
          <Route key={path} path={path}>
            {(params) => (
              <>
                {/* What an operator sees of the whole installation is of no account. */}
                {operator !== true && <ClosedNote />}
                <Page params={params as Record<string, string | undefined>} />
              </>
            )}
          </Route>
        ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/**
 * Once the first page stands, the others are fetched: a later switch waits for nothing. Not while the server is gone: what
 * a browser could not fetch once it does not fetch again for the same document.
 */
function usePreloading(): void {
  const isOnline = useConnection() === 'online';
  useEffect(() => {
    if (!isOnline) return;
    const preload = (): void => {
      preloadMenus();
      for (const { page } of pages) page.preload();
    };
    const timer = setTimeout(preload, 1500);
    return () => clearTimeout(timer);
  }, [isOnline]);
}

function NotFound(): ReactElement {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="search"
        title="There is no such page."
        action={<LinkButton href="/">To the overview</LinkButton>}
      >
        The address may be mistyped, or what it showed is not yours to see.
      </EmptyState>
    </>
  );
}
