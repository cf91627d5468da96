/**
 * Where each conversation was served last, so that the next turn goes there and finds the prompt in the provider's cache. In memory, for an
 * hour after the last answer. What a caller calls its conversation is not kept, only a digest under a secret of this process.
 *
 * The memory is bounded, and shared like other memory (`core/fair-shares.ts`): a project that has used up its share forgets its own
 * conversations, the oldest first.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { FairShares, type Share } from '../core/fair-shares.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import type { KeptAt } from './ports.ts';

export interface StickyParts {
  /** Milliseconds that only grow. */
  readonly monotonic: () => number;
  /** Conversations of all projects together. About 200 bytes each. */
  readonly conversationsMax?: number;
  /** Of this process, unless several share what they keep. */
  readonly secret?: Buffer | undefined;
}

const CONVERSATIONS_MAX = 65_536;
const KEPT_MS = 3_600_000;
const SECRET_BYTES = 32;
/** 128 bits: two conversations of a project do not have the same. */
const DIGEST_CHARACTERS = 16;
/** Expired conversations that one answer removes: more than it adds. */
const SWEPT_AT_ONCE = 4;

/** Where a conversation was served, without its name. */
export interface KeptConversation {
  readonly account: AccountId;
  readonly project: ProjectId;
  /** 16 bytes as Latin-1 text. */
  readonly digest: string;
  readonly at: KeptAt;
}

interface Kept {
  at: KeptAt;
  /** Monotonic, ms. */
  usedAt: number;
}

interface OfProject {
  readonly share: Share;
  /** By digest, the longest unused first. */
  readonly conversations: Map<string, Kept>;
}

export class Sticky {
  /** Called when a conversation is new, or was served elsewhere than before. Must not throw. */
  onKept: (kept: KeptConversation) => void = () => undefined;
  readonly #monotonic: () => number;
  readonly #secret: Buffer;
  readonly #shares: FairShares;
  /** The longest unused first. */
  readonly #projects = new Map<ProjectId, OfProject>();

  constructor({ monotonic, conversationsMax = CONVERSATIONS_MAX, secret = randomBytes(SECRET_BYTES) }: StickyParts) {
    this.#monotonic = monotonic;
    this.#secret = secret;
    this.#shares = new FairShares(conversationsMax);
  }

  /** How many conversations are kept. */
  get size(): number {
    return this.#shares.used;
  }

  /** Null if the conversation was not served within the last hour, or has been forgotten. */
  find(project: ProjectId, conversation: string): KeptAt | null {
    const conversations = this.#projects.get(project)?.conversations;
    if (conversations === undefined) return null;
    const kept = conversations.get(this.#digestOf(project, conversation));
    return kept === undefined || this.#isExpired(kept) ? null : kept.at;
  }

  /** To be called once the conversation was answered. */
  keep(account: AccountId, project: ProjectId, conversation: string, at: KeptAt): void {
    const digest = this.#digestOf(project, conversation);
    const before = this.#projects.get(project)?.conversations.get(digest)?.at;
    this.learn({ account, project, digest, at });
    if (before === undefined || !isSame(before, at)) this.onKept({ account, project, digest, at });
  }

  /** Another process has served it. */
  learn({ account, project, digest, at }: KeptConversation): void {
    const ofProject = this.#projects.get(project) ?? {
      share: this.#shares.of(account, project),
      conversations: new Map<string, Kept>(),
    };
    this.#projects.delete(project);
    this.#projects.set(project, ofProject);
    const { conversations } = ofProject;
    const known = conversations.get(digest);
    conversations.delete(digest);
    if (known === undefined && !this.#makeRoom(ofProject)) {
      this.#projects.delete(project);
      return;
    }
    const kept = known ?? { at, usedAt: 0 };
    kept.at = at;
    kept.usedAt = this.#monotonic();
    conversations.set(digest, kept);
    this.#sweep();
  }

  /** Takes a place for one conversation: a free one, otherwise one of the project's own, otherwise one of whoever called least recently. */
  #makeRoom({ share, conversations }: OfProject): boolean {
    if (share.take(1) === null) return true;
    if (conversations.size > 0) {
      dropOldest(conversations);
      return true;
    }
    for (const [id, other] of this.#projects) {
      if (other.conversations.size === 0) continue;
      this.#drop(id, other);
      break;
    }
    return share.take(1) === null;
  }

  /** Of the project that has called least recently: nothing else would remove what it left. */
  #sweep(): void {
    const [oldest] = this.#projects;
    if (oldest === undefined) return;
    const [id, ofProject] = oldest;
    for (let count = 0; count < SWEPT_AT_ONCE; count += 1) {
      const [first] = ofProject.conversations.values();
      if (first !== undefined && !this.#isExpired(first)) return;
      this.#drop(id, ofProject);
    }
  }

  #drop(id: ProjectId, { share, conversations }: OfProject): void {
    if (dropOldest(conversations)) share.give(1);
    if (conversations.size === 0) this.#projects.delete(id);
  }

  #isExpired({ usedAt }: Kept): boolean {
    return this.#monotonic() - usedAt >= KEPT_MS;
  }

  #digestOf(project: ProjectId, conversation: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${project} ${conversation}`)
      .digest('latin1')
      .slice(0, DIGEST_CHARACTERS);
  }
}

function isSame(one: KeptAt, other: KeptAt): boolean {
  return (
    one.provider === other.provider &&
    one.upstreamModel === other.upstreamModel &&
    one.own === other.own &&
    one.mark === other.mark
  );
}

/** False if there is none. */
function dropOldest(conversations: Map<string, Kept>): boolean {
  const [digest] = conversations.keys();
  return digest !== undefined && conversations.delete(digest);
}
