/** Every page of the dashboard, and where it stands in the menu. */
import type { IconName } from './components/icon.tsx';
import { type LazyPage, lazyPage } from './navigation/lazy-page.ts';

export interface PageRoute {
  /** wouter's pattern: `/keys/:id`. */
  readonly path: string;
  readonly page: LazyPage;
  /** In the menu, under this name. */
  readonly menu?: { readonly label: string; readonly icon: IconName; readonly jump: string };
  /** Only for who runs the installation. */
  readonly operator?: true;
  /** Makes sense without an account, too: for everybody, or for who runs the installation. */
  readonly accountless?: true | 'operator';
}

/** Pages for who is signed in. */
export const pages: readonly PageRoute[] = [
  {
    path: '/',
    page: lazyPage(() => import('./pages/overview/index.tsx')),
    menu: { label: 'Overview', icon: 'overview', jump: 'o' },
    accountless: true,
  },
  {
    path: '/keys',
    page: lazyPage(() => import('./pages/keys/index.tsx')),
    menu: { label: 'Keys', icon: 'keys', jump: 'k' },
  },
  { path: '/keys/:id', page: lazyPage(() => import('./pages/keys/detail.tsx')) },
  {
    path: '/usage',
    page: lazyPage(() => import('./pages/usage/index.tsx')),
    menu: { label: 'Usage', icon: 'usage', jump: 'u' },
  },
  {
    path: '/calls',
    page: lazyPage(() => import('./pages/calls/index.tsx')),
    menu: { label: 'Calls', icon: 'calls', jump: 'c' },
  },
  { path: '/calls/:id', page: lazyPage(() => import('./pages/calls/detail/detail.tsx')) },
  {
    path: '/models',
    page: lazyPage(() => import('./pages/models/index.tsx')),
    menu: { label: 'Models', icon: 'models', jump: 'm' },
  },
  {
    path: '/billing',
    page: lazyPage(() => import('./pages/billing/index.tsx')),
    menu: { label: 'Billing', icon: 'billing', jump: 'b' },
  },
  {
    path: '/projects',
    page: lazyPage(() => import('./pages/projects/index.tsx')),
    menu: { label: 'Projects', icon: 'projects', jump: 'p' },
  },
  {
    path: '/members',
    page: lazyPage(() => import('./pages/members/index.tsx')),
    menu: { label: 'Members', icon: 'members', jump: 'e' },
  },
  {
    path: '/connect',
    page: lazyPage(() => import('./pages/connect/index.tsx')),
    menu: { label: 'Connect a tool', icon: 'connect', jump: 't' },
  },
  {
    path: '/settings/:section?',
    page: lazyPage(() => import('./pages/settings/index.tsx')),
    menu: { label: 'Settings', icon: 'settings', jump: 's' },
    accountless: true,
  },
  {
    path: '/audit',
    page: lazyPage(() => import('./pages/audit/index.tsx')),
    menu: { label: 'Audit log', icon: 'audit', jump: 'a' },
    accountless: 'operator',
  },
  {
    path: '/providers',
    page: lazyPage(() => import('./pages/providers/index.tsx')),
    menu: { label: 'Providers', icon: 'providers', jump: 'r' },
    operator: true,
    accountless: true,
  },
  {
    path: '/accounts',
    page: lazyPage(() => import('./pages/accounts/index.tsx')),
    menu: { label: 'Accounts', icon: 'accounts', jump: 'n' },
    operator: true,
    accountless: true,
  },
  {
    path: '/people',
    page: lazyPage(() => import('./pages/people/index.tsx')),
    menu: { label: 'People', icon: 'user', jump: 'l' },
    operator: true,
    accountless: true,
  },
];

/** Pages that need nobody to be signed in. Links that people click carry their token after `#`. */
export const openPages: readonly PageRoute[] = [
  { path: '/sign-in', page: lazyPage(() => import('./pages/sign-in/index.tsx')) },
  { path: '/setup', page: lazyPage(() => import('./pages/sign-in/set-up.tsx')) },
  { path: '/invite', page: lazyPage(() => import('./pages/sign-in/invite.tsx')) },
  { path: '/forgotten', page: lazyPage(() => import('./pages/sign-in/forgotten.tsx')) },
  { path: '/reset', page: lazyPage(() => import('./pages/sign-in/reset.tsx')) },
  { path: '/sign-up', page: lazyPage(() => import('./pages/sign-in/sign-up.tsx')) },
  { path: '/confirm', page: lazyPage(() => import('./pages/sign-in/confirm.tsx')) },
];

/** Where a menu entry leads. */
export function menuPath(route: PageRoute): string {
  return route.path.replace('/:section?', '');
}
