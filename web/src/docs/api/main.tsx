/** The API explorer: the only docs page that uses React. It shows this installation's `/openapi.json`. */
import '../main.ts';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Toasts } from '../../components/overlays/toasts.tsx';
import { TooltipLayer } from '../../components/overlays/tooltip.tsx';
import { basePath } from '../../navigation/base-path.ts';
import { ApiExplorer } from './api-explorer.tsx';

const root = document.getElementById('api');
if (root === null) throw new Error('The page of the API has no #api.');
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: 1 } } })}>
        <Router base={basePath}>
          <ApiExplorer />
        </Router>
        <Toasts />
        <TooltipLayer />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
