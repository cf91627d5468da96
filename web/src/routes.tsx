/** Every page of the dashboard, and its entry in the menu. */
import type { IconName } from './components/icon.tsx';
import type { Audience } from './navigation/is-open-to.ts';
import { type LazyPage, lazyPage } from './navigation/lazy-page.ts';
import type { MenuGroup } from './navigation/menu-groups.ts';

export interface PageRoute extends Audience {
  /** wouter's pattern: `/keys/:id`. */
  readonly path: string;
  readonly page: LazyPage;
  /** Its entry in the menu; `jump` is the key after `g`. */
  readonly menu?: {
    readonly group: MenuGroup;
    readonly label: string;
    readonly icon: IconName;
    readonly jump: string;
  };
}

/** Pages for people who are signed in. */
export const pages: readonly PageRoute[] = [
  {
    path: '/',
    page: lazyPage(() => import('./pages/overview/index.tsx')),
    menu: { group: null, label: 'Overview', icon: 'overview', jump: 'o' },
    accountless: true,
  },
  {
    path: '/keys',
    page: lazyPage(() => import('./pages/keys/index.tsx')),
    menu: { group: 'Build', label: 'API keys', icon: 'keys', jump: 'k' },
  },
  {
    path: '/keys/:id',
    page: lazyPage(() => import('./pages/keys/detail.tsx')),
  },
  {
    path: '/models',
    page: lazyPage(() => import('./pages/models/index.tsx')),
    menu: { group: 'Build', label: 'Models', icon: 'models', jump: 'm' },
  },
  {
    path: '/aliases',
    page: lazyPage(() => import('./pages/aliases/index.tsx')),
    menu: { group: 'Build', label: 'Aliases', icon: 'aliases', jump: 'i' },
  },
  {
    path: '/route',
    page: lazyPage(() => import('./pages/route/index.tsx')),
    menu: { group: 'Build', label: 'Route', icon: 'route', jump: 'h' },
  },
  {
    path: '/connect',
    page: lazyPage(() => import('./pages/connect/index.tsx')),
    menu: { group: 'Build', label: 'Connect', icon: 'connect', jump: 't' },
  },
  {
    path: '/usage',
    page: lazyPage(() => import('./pages/usage/index.tsx')),
    menu: { group: 'Observe', label: 'Usage', icon: 'usage', jump: 'u' },
  },
  {
    path: '/calls',
    page: lazyPage(() => import('./pages/calls/index.tsx')),
    menu: { group: 'Observe', label: 'Requests', icon: 'calls', jump: 'c' },
  },
  {
    path: '/calls/:id',
    page: lazyPage(() => import('./pages/calls/detail/detail.tsx')),
  },
  {
    path: '/account-batches',
    page: lazyPage(() => import('./pages/batches/index.tsx')),
    menu: { group: 'Observe', label: 'Batches', icon: 'batches', jump: 'x' },
  },
  {
    path: '/audit',
    page: lazyPage(() => import('./pages/audit/index.tsx')),
    menu: { group: 'Observe', label: 'Audit log', icon: 'audit', jump: 'a' },
    role: 'admin',
    accountless: 'operator',
  },
  {
    path: '/billing',
    page: lazyPage(() => import('./pages/billing/index.tsx')),
    menu: { group: 'Account', label: 'Billing', icon: 'billing', jump: 'b' },
  },
  {
    path: '/projects',
    page: lazyPage(() => import('./pages/projects/index.tsx')),
    menu: { group: 'Account', label: 'Projects', icon: 'projects', jump: 'p' },
  },
  {
    path: '/own-credentials',
    page: lazyPage(() => import('./pages/byok/index.tsx')),
    menu: { group: 'Account', label: 'Own credentials', icon: 'lock', jump: 'w' },
  },
  {
    path: '/members',
    page: lazyPage(() => import('./pages/members/index.tsx')),
    menu: { group: 'Account', label: 'Members', icon: 'members', jump: 'e' },
  },
  {
    path: '/settings/:section?',
    page: lazyPage(() => import('./pages/settings/index.tsx')),
    menu: { group: 'Account', label: 'Settings', icon: 'settings', jump: 's' },
    accountless: true,
  },
  {
    path: '/providers',
    page: lazyPage(() => import('./pages/providers/index.tsx')),
    menu: { group: 'Operate', label: 'Providers', icon: 'providers', jump: 'r' },
    operator: true,
    accountless: true,
  },
  {
    path: '/load',
    page: lazyPage(() => import('./pages/load/index.tsx')),
    menu: { group: 'Operate', label: 'Load', icon: 'load', jump: 'v' },
    operator: true,
    accountless: true,
  },
  {
    path: '/nodes',
    page: lazyPage(() => import('./pages/nodes/index.tsx')),
    menu: { group: 'Operate', label: 'Nodes', icon: 'nodes', jump: 'f' },
    operator: true,
    accountless: true,
  },
  {
    path: '/accounts',
    page: lazyPage(() => import('./pages/accounts/index.tsx')),
    menu: { group: 'Operate', label: 'Accounts', icon: 'accounts', jump: 'n' },
    operator: true,
    accountless: true,
  },
  {
    path: '/people',
    page: lazyPage(() => import('./pages/people/index.tsx')),
    menu: { group: 'Operate', label: 'People', icon: 'user', jump: 'l' },
    operator: true,
    accountless: true,
  },
];

/** Pages open to everyone, signed in or not. Links in mails carry their token after `#`. */
export const openPages: readonly PageRoute[] = [
  { path: '/sign-in', page: lazyPage(() => import('./pages/sign-in/index.tsx')) },
  { path: '/setup', page: lazyPage(() => import('./pages/sign-in/set-up.tsx')) },
  { path: '/invite', page: lazyPage(() => import('./pages/sign-in/invite.tsx')) },
  { path: '/forgotten', page: lazyPage(() => import('./pages/sign-in/forgotten.tsx')) },
  { path: '/reset', page: lazyPage(() => import('./pages/sign-in/reset.tsx')) },
  { path: '/sign-up', page: lazyPage(() => import('./pages/sign-in/sign-up.tsx')) },
  { path: '/confirm', page: lazyPage(() => import('./pages/sign-in/confirm.tsx')) },
];

/** Pages that somebody who is not signed in gets instead of the sign-in page, if the operator shows them. */
export const visitorPages: readonly PageRoute[] = [
  { path: '/models', page: lazyPage(() => import('./pages/visitors/index.tsx')) },
];

/** A menu entry: a page, or the documentation, which is a separate site and loads as a full page. */
export interface MenuRoute extends Omit<PageRoute, 'page'> {
  readonly page?: LazyPage;
}

const docs: MenuRoute = {
  path: '/docs',
  menu: { group: 'Build', label: 'Docs', icon: 'docs', jump: 'd' },
  accountless: true,
};

/** The target of a menu entry. */
export function menuPath(route: MenuRoute): string {
  return route.path.replace('/:section?', '');
}

/** Everything that may have a menu entry. */
export const menuRoutes: readonly MenuRoute[] = [...pages, docs];
