/** Labels: what a caller says about itself with a call. They are stored with the call, and calls can be filtered by them. */

/** The limit for all labels of one call together, in bytes of UTF-8. */
export const LABEL_BYTES_MAX = 1024;

/** For reports, never a fact. Within `LABEL_BYTES_MAX`, without control characters and without anything that looks like a key. */
export interface CallLabels {
  /** The caller's name for its own user. */
  readonly user: string | null;
  /** The title of the application. */
  readonly app: string | null;
  /** The address of the application, without a query. */
  readonly referer: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the caller sent more than is stored. */
  readonly isCut: boolean;
}

/** Labels of which nothing could be stored. */
export const DROPPED_LABELS: CallLabels = { user: null, app: null, referer: null, metadata: {}, isCut: true };

/** The most memory that labels use, in bytes: two per character. */
export function labelBytes({ user, app, referer, metadata }: CallLabels): number {
  let characters = (user?.length ?? 0) + (app?.length ?? 0) + (referer?.length ?? 0);
  for (const name in metadata) characters += name.length + (metadata[name]?.length ?? 0);
  return 2 * characters;
}

/** Null matches anything; other values must be equal. */
export interface LabelFilter {
  readonly user: string | null;
  readonly app: string | null;
  readonly metadata: { readonly name: string; readonly value: string } | null;
}

export function isLabelled({ user, app, metadata }: LabelFilter, labels: CallLabels | null): boolean {
  if (labels === null) return false;
  if (user !== null && labels.user !== user) return false;
  if (app !== null && labels.app !== app) return false;
  if (metadata === null) return true;
  return Object.hasOwn(labels.metadata, metadata.name) && labels.metadata[metadata.name] === metadata.value;
}

/** Reads a filter from query parameters. `metadata` is `name:value`; the name ends at the first colon. Null if no filter is set. */
export function readLabelFilter(asked: {
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  readonly metadata?: string | undefined;
}): LabelFilter | null {
  const { user = null, app = null, metadata } = asked;
  if (user === null && app === null && metadata === undefined) return null;
  if (metadata === undefined) return { user, app, metadata: null };
  const colon = metadata.indexOf(':');
  return { user, app, metadata: { name: metadata.slice(0, colon), value: metadata.slice(colon + 1) } };
}

/** The format of a metadata filter. */
export const METADATA_FILTER = /^[^:]{1,64}:[\s\S]{0,512}$/;
