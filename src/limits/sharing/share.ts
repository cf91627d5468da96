/** A node's share of the limits of a key, a project or an account. All nodes' shares of it together are never more than the whole. */

/** Of how many parts a share is; as many nodes as divide it get equal shares without a remainder: any number up to 16. */
export const WHOLE = 720_720;
/** A node that asks for nothing keeps this part of an equal share, so that its first calls pass. */
const LEAST_PART = 16;

/** What a node says of its share of a scope. */
export interface Share {
  /** What it may use until it says otherwise, in parts of `WHOLE`. */
  readonly share: number;
  /** What it has used, in parts of `WHOLE`: of the limit that it has used most of. More than its share if calls needed more than estimated. */
  readonly used: number;
  /** How many calls asked for it in about the last second. */
  readonly asked: number;
  /** When it said so: time of all nodes, ms. */
  readonly at: number;
}

/** The share of each node as long as they have not exchanged anything. */
export function equalShare(nodes: number): number {
  return Math.floor(WHOLE / nodes);
}

/** How much of a limit a share is; at least 1. */
export function partOf(limit: number, share: number): number {
  return share === WHOLE ? limit : Math.max(1, Math.floor((limit * share) / WHOLE));
}

/** What a node needs not to be over its share, in parts of `WHOLE`. */
export function partsOf(used: number, limit: number): number {
  return limit > 0 ? Math.ceil((used * WHOLE) / limit) : 0;
}

/**
 * The share that a node should have: what it has used, and of what nobody has used as much as its calls are of all. Nodes that know
 * the same arrive at shares that are the whole together.
 */
export function fairShare(own: Pick<Share, 'used' | 'asked'>, others: readonly Share[], nodes: number): number {
  const count = Math.max(nodes, others.length + 1);
  const least = Math.floor(WHOLE / (LEAST_PART * count));
  const kept = Math.max(own.used, least);
  let left = WHOLE - kept - (count - 1 - others.length) * least;
  let asked = own.asked;
  for (const other of others) {
    left -= Math.max(other.used, least);
    asked += other.asked;
  }
  const part = asked === 0 ? 1 / count : own.asked / asked;
  return Math.min(WHOLE, kept + Math.max(0, Math.floor(left * part)));
}

/** What the others' shares leave. */
export function leftBy(others: readonly Share[]): number {
  let left = WHOLE;
  for (const { share, used } of others) left -= Math.max(share, used);
  return Math.max(0, left);
}
