import { type ReactElement, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useConnection } from '../api/connection.ts';
import { useSessionQuery, useViewer } from '../api/session.ts';
import { noteSessionEnd } from '../api/session-end.ts';
import { EmptyState, ErrorState, LinkButton, PageHeader, preloadMenus } from '../components/index.ts';
import { pagePath } from '../navigation/base-path.ts';
import { isOpenTo } from '../navigation/is-open-to.ts';
import { useZone } from '../navigation/use-zone.ts';
import { type PageRoute, pages, visitorPages } from '../routes.tsx';
import { ClosedNote } from './closed-note.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Shell } from './shell.tsx';

/** The pages for people who are signed in; everyone else goes to the sign-in page, and returns from there, unless it is a page for visitors. */
export function SignedIn(): ReactElement | null {
  const { data, error, refetch } = useSessionQuery();
  const [location] = useLocation();
  const zone = useZone();
  const wasSignedIn = useRef(false);
  const isSignedIn = data === undefined ? null : data.user !== null;
  // Signing out leaves this page first.
  useLayoutEffect(() => {
    if (isSignedIn === false && wasSignedIn.current) noteSessionEnd();
    if (isSignedIn !== null) wasSignedIn.current = isSignedIn;
  }, [isSignedIn]);
  if (data === undefined) {
    return error === null ? null : <ErrorState error={error} retry={() => void refetch()} />;
  }
  if (data.user === null) {
    const shown = data.installation.public_models ? visitorPages.find(({ path }) => path === location) : undefined;
    if (shown !== undefined) return <VisitorPage route={shown} />;
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

function VisitorPage({ route: { path, page: Page } }: { readonly route: PageRoute }): ReactElement {
  return (
    <PageBoundary place={path}>
      <Suspense fallback={null}>
        <Page params={{}} />
      </Suspense>
    </PageBoundary>
  );
}

function Pages(): ReactElement {
  const viewer = useViewer();
  usePreloading();
  return (
    <Switch>
      {pages
        .filter((route) => isOpenTo(route, viewer))
        .map(({ path, page: Page, operator }) => (
          <Route key={path} path={path}>
            {(params) => (
              <>
                {/* Pages about the whole installation belong to no account. */}
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
 * After the first page has rendered, the others are fetched, so that switching is instant. Not while the server is
 * unreachable: a module that failed to load once is not fetched again by the same document.
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
      <EmptyState icon="search" title="Page not found" action={<LinkButton href="/">Go to overview</LinkButton>}>
        The address may be mistyped, or you may not have access to this page.
      </EmptyState>
    </>
  );
}
