/** One-use links, with their purposes and lifetimes. */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Link, LinkPurpose, NewLink, UserId, UserStore } from './ports.ts';
import { newToken, tokenDigest } from './token.ts';

const HOUR_MS = 3_600_000;
export const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  setup: 24 * HOUR_MS,
  invitation: 7 * 24 * HOUR_MS,
  password: HOUR_MS,
  email: 24 * HOUR_MS,
};
const PAGES: Readonly<Record<LinkPurpose, string>> = {
  setup: 'setup',
  invitation: 'invite',
  password: 'reset',
  email: 'confirm',
};

export interface LinksParts {
  readonly users: Pick<
    UserStore,
    'createLink' | 'linkByDigest' | 'useLink' | 'keepLinkFor' | 'useKeptLink' | 'deleteLinks' | 'deleteLinksBefore'
  >;
  readonly clock: Clock;
  /** The base URL for browsers, without a trailing `/`; never taken from a request. */
  readonly publicUrl: () => string;
}

export interface MadeLink {
  readonly link: Link;
  /** Shown once. */
  readonly token: string;
}

export class Links {
  readonly #parts: LinksParts;

  constructor(parts: LinksParts) {
    this.#parts = parts;
  }

  async make(about: Partial<NewLink> & Pick<NewLink, 'purpose'>): Promise<MadeLink> {
    const { users, clock } = this.#parts;
    const token = newToken();
    const createdAt = clock.now();
    const expiresAt = createdAt + LIFETIME_MS[about.purpose];
    const link = await users.createLink({ ...NOTHING, ...about, createdAt, expiresAt }, tokenDigest(token));
    return { link, token };
  }

  /** The URL of the page for the link. The part after `#` is never sent to a server, so it appears in no log. */
  addressOf(purpose: LinkPurpose, token: string): string {
    return `${this.#parts.publicUrl().replace(/(?<!\/)\/+$/, '')}/${PAGES[purpose]}#token=${token}`;
  }

  /** A valid link, of this purpose if one is given; a reserved one is valid only for its person, `asks`. Throws `not_found`. */
  async find(token: string, purpose?: LinkPurpose, asks: UserId | null = null): Promise<Link> {
    const { users, clock } = this.#parts;
    const link = await users.linkByDigest(tokenDigest(token));
    const isOpen = link !== null && (link.usedAt === null || (isKept(link) && link.userId === asks));
    const isGood = isOpen && clock.now() < link.expiresAt;
    if (!isGood || (purpose !== undefined && link.purpose !== purpose)) throw noLink();
    return link;
  }

  /** Throws `not_found` if it was used in the meantime. */
  async use(link: Link): Promise<void> {
    const { users, clock } = this.#parts;
    const isUsed = isKept(link) ? await users.useKeptLink(link.id) : await users.useLink(link.id, clock.now());
    if (!isUsed) throw noLink();
  }

  /** Reserves an invitation for a known person who tried it. Throws `not_found` if it was used in the meantime. */
  async keepFor(link: Link, userId: UserId): Promise<void> {
    const { users, clock } = this.#parts;
    if (!(await users.keepLinkFor(link.id, userId, clock.now()))) throw noLink();
  }

  /** Voids every open link of a purpose, of one person if given. */
  void(purpose: LinkPurpose, userId: Link['userId'] = null): Promise<void> {
    return this.#parts.users.deleteLinks(purpose, userId);
  }

  /** Deletes expired links. Call it periodically. */
  sweep(): Promise<void> {
    return this.#parts.users.deleteLinksBefore(this.#parts.clock.now());
  }
}

/** Whether an invitation is reserved for one person, who must sign in first. */
function isKept({ purpose, usedAt, userId }: Link): boolean {
  return purpose === 'invitation' && usedAt !== null && userId !== null;
}

export function noLink(): GatewayError {
  return new GatewayError('not_found', {
    message: 'This link is invalid, has expired or was already used. Ask for a new one.',
    param: 'token',
  });
}

const NOTHING = {
  userId: null,
  accountId: null,
  role: null,
  email: null,
  createdBy: null,
  createdByKey: null,
  signUp: null,
};
