import { CSPProvider } from '@base-ui/react/csp-provider';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { ApiError } from './api/client.ts';
import { sessionKey } from './api/session.ts';
import { Toasts } from './components/overlays/toasts.tsx';
import { TooltipLayer } from './components/overlays/tooltip.tsx';
import { basePath } from './navigation/base-path.ts';
import { openPages } from './routes.tsx';
import { ConnectionBanner } from './shell/connection-banner.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import { SignedIn } from './shell/signed-in.tsx';

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, query) => whenSignedOut(error, query.queryKey[0] === sessionKey[0]) }),
  mutationCache: new MutationCache({ onError: (error) => whenSignedOut(error, false) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal is final; only a request that never arrived, or failed there, is retried, once.
      retry: (failures, error) =>
        failures < 1 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
    },
    // A change that does not arrive fails immediately: a later retry would surprise.
    mutations: { networkMode: 'always' },
  },
});

/** The session has ended elsewhere: querying the signed-in person leads to the sign-in page. */
function whenSignedOut(error: unknown, isSession: boolean): void {
  if (!(error instanceof ApiError) || error.status !== 401 || isSession) return;
  void queryClient.invalidateQueries({ queryKey: sessionKey });
}

export function App(): ReactElement {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <Router base={basePath}>
          <Switch>
            {openPages.map(({ path, page: Page }) => (
              <Route key={path} path={path}>
                {(params) => (
                  <PageBoundary place={path}>
                    <Suspense fallback={null}>
                      <Page params={params as Record<string, string | undefined>} />
                    </Suspense>
                  </PageBoundary>
                )}
              </Route>
            ))}
            <Route>
              <SignedIn />
            </Route>
          </Switch>
        </Router>
        <ConnectionBanner />
        <Toasts />
        <TooltipLayer />
      </QueryClientProvider>
    </CSPProvider>
  );
}
