/** The handler for the nodes of an installation. */
import { usdLiteral } from '../../../core/money.ts';
import type { KnownNode } from '../../../nodes/ports.ts';
import { shownState } from '../../../nodes/shown-state.ts';
import type { nodeRoutes } from '../../contract/nodes.ts';
import type { Handlers } from '../door/handler.ts';

export interface NodeServices {
  /** Null without a database that several nodes can share. */
  readonly nodes: SharedNodes | null;
}

export interface SharedNodes {
  /** The slot of the node that answers; null for a command without a server. */
  readonly slot: number | null;
  list(): Promise<readonly KnownNode[]>;
  /** The number of the last change. */
  lastChange(): Promise<number>;
}

export function nodeHandlers({ nodes }: NodeServices): Handlers<typeof nodeRoutes> {
  return { listNodes: () => nodeList(nodes) };
}

/** The answer of `GET /nodes`, by slot. */
export async function nodeList(nodes: SharedNodes | null) {
  if (nodes === null) return { shared: false, data: [] };
  const [known, last] = await Promise.all([nodes.list(), nodes.lastChange()]);
  const bySlot = [...known].sort((one, other) => one.slot - other.slot);
  return { shared: true, data: bySlot.map((node) => nodeView(node, nodes.slot, last)) };
}

function nodeView(
  { slot, id, name, version, state, seenAt, seenAgoMs, feedSeq, unsentFrom, lent }: KnownNode,
  self: number | null,
  last: number,
) {
  return {
    slot,
    id,
    name,
    version,
    state: shownState({ state, seenAgoMs }),
    answers: slot === self,
    seen_at: new Date(seenAt).toISOString(),
    seen_ago_ms: Math.max(0, seenAgoMs),
    // Another node's number may have been read before a change that this one's number includes.
    changes_behind: Math.max(0, last - feedSeq),
    unsent_since: unsentFrom === null ? null : new Date(unsentFrom).toISOString(),
    lent: usdLiteral(lent),
  };
}
