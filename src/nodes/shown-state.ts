/** The state of a node as people are shown it. */
import type { NodeState } from './ports.ts';

/** A node is marked as seen every 5 s, so this is three times missed. */
export const SILENT_AFTER_MS = 15_000;

export type ShownState = NodeState | 'silent';

/** `silent`: it is to serve and was not heard of for a while, so it was killed or cannot reach the database; it is not declared lost yet. */
export function shownState({
  state,
  seenAgoMs,
}: {
  readonly state: NodeState;
  readonly seenAgoMs: number;
}): ShownState {
  return (state === 'live' || state === 'draining') && seenAgoMs > SILENT_AFTER_MS ? 'silent' : state;
}
