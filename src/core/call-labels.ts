/** Who asked, in the caller's own words: what is kept of it with a call, and what calls are looked for by. */

/** What one call's labels take at most, all together, in bytes of UTF-8. */
export const LABEL_BYTES_MAX = 1024;

/** For reports, never a fact. Within `LABEL_BYTES_MAX`, without control characters and without what looks like a key. */
export interface CallLabels {
  /** The caller's name for its own user. */
  readonly user: string | null;
  /** The title of the application. */
  readonly app: string | null;
  /** The address of the application, without a query. */
  readonly referer: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the caller said more than is kept. */
  readonly isCut: boolean;
}

/** Of labels of which nothing could be kept. */
export const NO_ROOM: CallLabels = { user: null, app: null, referer: null, metadata: {}, isCut: true };

/** What labels take in memory at most, in bytes: two for each character. */
export function labelRoom({ user, app, referer, metadata }: CallLabels): number {
  let characters = (user?.length ?? 0) + (app?.length ?? 0) + (referer?.length ?? 0);
  for (const name in metadata) characters += name.length + (metadata[name]?.length ?? 0);
  return 2 * characters;
}

/** Null looks at nothing; the rest has to be the same, letter by letter. */
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

/** A filter as it is asked for, with metadata as `name:value`, whose name ends at the first colon; null where nothing is asked. */
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

/** A filter of metadata as text. */
export const METADATA_FILTER = /^[^:]{1,64}:[\s\S]{0,512}$/;
