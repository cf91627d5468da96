/**
 * A key, project or account whose counts this node exchanges, and this node's share of its limits. A share that is lowered is used at once
 * and sent afterwards; one that is raised is sent first, and used once all other nodes' shares are seen to leave it.
 */
import { MINUTE_MS } from '../moment.ts';
import type { Counts, OwnCounts, ScopeRef, StoredCounts } from '../ports.ts';
import { isLimited, type RateLimits } from '../rate-limits.ts';
import { usedOf } from '../sliding-window.ts';
import type { Others } from './others.ts';
import { fairShare, leftBy, partsOf, type Share } from './share.ts';

/** For how long what a process has said of its share holds: longer than what it has used counts. It says it again long before. */
export const SHARE_HOLDS_MS = 2 * MINUTE_MS;
/** Over this time, the calls that ask for a scope are forgotten. */
const ASKED_MS = 1_000;
/** A process that has sent nothing for so long asks for nothing. */
const ASKS_MS = 5_000;

/** What each of the nodes knows of all nodes. */
export interface NodeView {
  /** How many nodes there are, this one included. */
  readonly nodes: number;
  /** The share of each as long as nothing is exchanged. */
  readonly equal: number;
}

/** Times are monotonic, ms. */
export interface SharedScope extends ScopeRef {
  readonly others: Others;
  /** In how many more rounds it is sent: something has changed or was asked, or the others are about to send theirs. */
  rounds: number;
  usedAt: number;
  /** Whether this node alone has counted much. */
  isOver: boolean;
  announcedAt: number;
  /** Whether a limit per day was asked of it. */
  hasDay: boolean;
  settledAt: number;
  sentAt: number;
  sentRunning: number;
  /** As of the last call; null if this node has had none since it was opened. */
  limits: RateLimits | null;
  /** This node's share; null as long as it is an equal one. */
  agreed: number | null;
  /** Whether it is more than an equal one. */
  isRaised: boolean;
  /** What the other processes said last. */
  shares: readonly Share[];
  /** Calls that asked for it since the last round, and in the last second. */
  asking: number;
  asked: number;
  askedAt: number;
}

/** Sets what calls are judged by. With more nodes than there were, a share that they do not know of is smaller. */
export function applyShare(scope: SharedScope, { equal }: NodeView): void {
  const { agreed, isRaised } = scope;
  scope.others.share = agreed === null ? equal : isRaised ? agreed : Math.min(agreed, equal);
}

/** What this node says now: lowers its share if it has more than is fair, and wishes for more if others leave it. */
export function sayShare(scope: SharedScope, own: Counts, view: NodeView, now: ShareMoment): Share {
  scope.asked = scope.asked * Math.exp((scope.askedAt - now.monotonicMs) / ASKED_MS) + scope.asking;
  scope.askedAt = now.monotonicMs;
  scope.asking = 0;
  const asked = scope.asked < 0.1 ? 0 : Math.ceil(scope.asked);
  const used = usedShare(scope, own, view, now);
  scope.isOver = used * 2 >= view.equal;
  applyShare(scope, view);
  const { share } = scope.others;
  const fair = fairShare({ used, asked }, scope.shares, view.nodes);
  // Others need not know of a share that is no more than an equal one.
  const wanted = scope.isOver ? fair : Math.min(fair, view.equal);
  if (wanted < share) setShare(scope, wanted, view);
  const wish = Math.max(scope.others.share, Math.min(wanted, leftBy(scope.shares)));
  return { share: wish, used, asked, at: now.wallMs };
}

/**
 * Takes what the others have said, and uses what this node wished for as far as they leave it. `since`: they must all have said it after
 * that, time of all nodes, ms. Returns whether the share has changed.
 */
export function hearShares(
  scope: SharedScope,
  stored: readonly StoredCounts[],
  wish: number,
  { view, since, wallMs }: { readonly view: NodeView; readonly since: number; readonly wallMs: number },
): boolean {
  scope.shares = stored.filter(({ at }) => wallMs - at < SHARE_HOLDS_MS).map((each) => asOf(each, wallMs));
  if (wish <= scope.others.share) return false;
  if (scope.shares.filter(({ at }) => at > since).length < view.nodes - 1) return false;
  const granted = Math.min(wish, leftBy(scope.shares));
  if (granted <= scope.others.share) return false;
  setShare(scope, granted, view);
  return true;
}

/** What others know of it may no longer hold: this node goes on with no more than an equal share. */
export function dropRaised(scope: SharedScope, view: NodeView): void {
  scope.isRaised = false;
  applyShare(scope, view);
}

/** The requests of the day of those that have a share. */
export function ownedToday(stored: readonly StoredCounts[], day: number, wallMs: number): number {
  let sum = 0;
  for (const each of stored) if (each.day === day && wallMs - each.at < SHARE_HOLDS_MS) sum += each.today;
  return sum;
}

/** Whether calls will soon need more than the share. */
export function isPressed({ others: { share }, asked }: SharedScope, said: Pick<OwnCounts, 'used'>): boolean {
  return asked >= 1 && said.used * 2 > share;
}

export interface ShareMoment {
  readonly monotonicMs: number;
  readonly wallMs: number;
  readonly elapsedMs: number;
}

function setShare(scope: SharedScope, share: number, view: NodeView): void {
  scope.agreed = share;
  scope.isRaised = share > view.equal;
  applyShare(scope, view);
}

function usedShare({ limits, others }: SharedScope, own: Counts, view: NodeView, { elapsedMs }: ShareMoment): number {
  const requests = usedOf(own.requestsBefore, own.requests, elapsedMs);
  const tokens = usedOf(own.tokensBefore, own.tokens, elapsedMs);
  if (limits === null || !isLimited(limits)) {
    const isUnused = requests + tokens + own.today + own.running === 0;
    // Otherwise this node would have announced it.
    return isUnused ? 0 : Math.ceil(view.equal / 2);
  }
  const { requestsPerMinute, tokensPerMinute, requestsPerDay, concurrentCalls } = limits;
  let used = 0;
  if (requestsPerMinute !== undefined) used = Math.max(used, partsOf(requests, requestsPerMinute));
  if (tokensPerMinute !== undefined) used = Math.max(used, partsOf(tokens, tokensPerMinute));
  if (requestsPerDay !== undefined) used = Math.max(used, partsOf(own.today, requestsPerDay - others.unowned));
  if (concurrentCalls !== undefined) used = Math.max(used, partsOf(own.running, concurrentCalls));
  return used;
}

function asOf({ share, used, asked, at }: Share, wallMs: number): Share {
  return { share, used, asked: wallMs - at < ASKS_MS ? asked : 0, at };
}
