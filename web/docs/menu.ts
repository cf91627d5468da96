/** The menu. A new page below `docs/` appears in its folder's group automatically; this file has the order of the known ones. */

export interface MenuPage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

export interface MenuEntry {
  readonly path: string;
  readonly label: string;
  readonly description: string;
  /** Pages below it, shown when this page or one of them is open. */
  readonly below: readonly MenuEntry[];
}

export interface MenuGroup {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

interface GroupPlan {
  readonly label: string;
  /** By path, in this order. */
  readonly first: readonly string[];
  /** Other pages whose path begins with this, by title; the longest one that fits wins. */
  readonly rest?: string;
}

const PLAN: readonly GroupPlan[] = [
  {
    label: 'Get started',
    first: [
      'docs/readme',
      'docs/guide/first-ten-minutes',
      'docs/how-to/demo',
      'docs/how-to/claude-code',
      'docs/how-to/codex-cli',
      'docs/how-to/gemini-cli',
    ],
  },
  {
    label: 'Guides',
    first: [
      'docs/guide/providers',
      'docs/guide/routing',
      'docs/guide/aliases',
      'docs/guide/limits',
      'docs/guide/members',
      'docs/guide/billing',
      'docs/guide/endings',
      'docs/guide/batches',
      'docs/guide/idempotency',
      'docs/guide/response-cache',
      'docs/guide/capture',
      'docs/guide/operations',
      'docs/guide/proof',
    ],
    rest: 'docs/guide/',
  },
  {
    label: 'How-to',
    first: ['docs/how-to/custom-provider', 'docs/how-to/provisioning-keys', 'docs/how-to/export-a-month'],
    rest: 'docs/how-to/',
  },
  {
    label: 'Deploy',
    first: ['docs/how-to/check-a-deployment', 'docs/how-to/back-up-and-restore'],
    rest: 'docs/how-to/deploy-',
  },
  { label: 'Migrate', first: [], rest: 'docs/how-to/migrate-' },
  {
    label: 'Reference',
    first: [
      'docs/api',
      'docs/reference/api',
      'docs/reference/errors',
      'docs/reference/faults',
      'docs/reference/config',
      'docs/reference/cli',
      'docs/reference/metrics',
      'docs/reference/relay-edits',
      'docs/reference/translation',
      'docs/glossary',
    ],
    rest: 'docs/reference/',
  },
  { label: 'Extend', first: [], rest: 'docs/how-to/add-' },
  {
    label: 'Project',
    first: [
      'docs/changelog',
      'docs/security',
      'docs/benchmarks',
      'docs/architecture',
      'docs/decisions',
      'docs/contributing',
    ],
  },
];

/** Labels for pages whose title is not enough. */
const LABELS: Readonly<Record<string, string>> = { 'docs/readme': 'Introduction' };

/** Every page exactly once. Throws if a page belongs to no group. */
export function menuOf(pages: readonly MenuPage[]): readonly MenuGroup[] {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const placed = new Set<string>();
  const known = new Set(PLAN.flatMap(({ first }) => first));
  const groupOf = (path: string): string | undefined =>
    PLAN.flatMap(({ rest = '' }) => (rest !== '' && path.startsWith(rest) ? [rest] : [])).toSorted(
      (a, b) => b.length - a.length,
    )[0];
  const entryOf = (page: MenuPage): MenuEntry => {
    placed.add(page.path);
    const below = pages.filter(({ path }) => path.startsWith(`${page.path}/`)).map(entryOf);
    return { path: page.path, label: LABELS[page.path] ?? page.title, description: page.description, below };
  };
  const groups = PLAN.map(({ label, first, rest }) => {
    const others = pages.filter(
      ({ path }) => rest !== undefined && groupOf(path) === rest && !known.has(path) && !placed.has(path),
    );
    const inOrder = others.toSorted((a, b) => a.title.localeCompare(b.title, 'en'));
    const named = first.map((path) => byPath.get(path)).filter((page) => page !== undefined);
    return { label, entries: [...named, ...inOrder].map(entryOf) };
  });
  const lost = pages.filter(({ path }) => !placed.has(path)).map(({ path }) => path);
  if (lost.length > 0) throw new Error(`No group of the menu has ${lost.join(', ')}: web/docs/menu.ts.`);
  return groups.filter(({ entries }) => entries.length > 0);
}

/** All entries in reading order, for the links to the previous and next page. */
export function inReadingOrder(groups: readonly MenuGroup[]): readonly MenuEntry[] {
  return groups.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.below]));
}
