/** Handlers for the nodes of an installation. */
import { GatewayError } from '../../../core/errors.ts';
import { generationId } from '../../../core/ids.ts';
import { usdLiteral } from '../../../core/money.ts';
import type { KnownNode, SetAside, SetAsideCall } from '../../../nodes/ports.ts';
import { sharedNames } from '../../../nodes/shared-names.ts';
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
  /** What the database refused of this node's journal; null for a command without a server. */
  readonly setAside: SetAside | null;
}

const LISTED_MAX = 100;
/** A command waits 30 s for its answer. */
const SENT_WITHIN_MS = 20_000;

export function nodeHandlers({ nodes }: NodeServices): Handlers<typeof nodeRoutes> {
  return {
    listNodes: () => nodeList(nodes),

    listSetAside: async () => {
      const { calls, count } = setAsideOf(nodes).list(LISTED_MAX);
      return { data: calls.map(setAsideView), total_count: count };
    },

    sendSetAside: async (context) => {
      const { sent, refused, isAnswered } = await setAsideOf(nodes).sendAgain(SENT_WITHIN_MS);
      if (sent > 0)
        await context.auditDone({
          action: 'node.send_set_aside',
          subject: { kind: 'node', id: String(nodes?.slot ?? null), name: null },
          accountId: null,
          before: null,
          after: { sent, refused, answered: isAnswered },
        });
      return { data: { sent, refused, answered: isAnswered } };
    },
  };
}

function setAsideOf(nodes: SharedNodes | null): SetAside {
  const setAside = nodes?.setAside ?? null;
  if (setAside === null)
    throw new GatewayError('conflict', {
      message: 'No node runs in this process: nothing is sent from here, so nothing is set aside.',
    });
  return setAside;
}

export function setAsideView({ callId, accountId, admittedAt, charge, reason }: SetAsideCall) {
  return {
    call: callId === null ? null : generationId(callId),
    account_id: accountId,
    admitted_at: new Date(admittedAt).toISOString(),
    charge: usdLiteral(charge),
    reason,
  };
}

/** The answer of `GET /nodes`, by slot. */
export async function nodeList(nodes: SharedNodes | null) {
  if (nodes === null) return { shared: false, data: [] };
  const [known, last] = await Promise.all([nodes.list(), nodes.lastChange()]);
  const bySlot = [...known].sort((one, other) => one.slot - other.slot);
  const names = sharedNames(known);
  return { shared: true, data: bySlot.map((node) => nodeView(node, { self: nodes.slot, last, names })) };
}

function nodeView(
  { slot, id, name, version, state, seenAt, seenAgoMs, feedSeq, unsentFrom, lent }: KnownNode,
  { self, last, names }: { readonly self: number | null; readonly last: number; readonly names: ReadonlySet<string> },
) {
  const shown = shownState({ state, seenAgoMs });
  return {
    slot,
    id,
    name,
    name_is_shared: names.has(name) && (shown === 'live' || shown === 'draining'),
    version,
    state: shown,
    answers: slot === self,
    seen_at: new Date(seenAt).toISOString(),
    seen_ago_ms: Math.max(0, seenAgoMs),
    // Another node's number may have been read before a change that this one's number includes.
    changes_behind: Math.max(0, last - feedSeq),
    unsent_since: unsentFrom === null ? null : new Date(unsentFrom).toISOString(),
    lent: usdLiteral(lent),
  };
}
