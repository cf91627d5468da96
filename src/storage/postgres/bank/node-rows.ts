/** Nodes and pulses as the bank's functions return them. Arrays come as JSON; their numbers are exact. */
import { nanoUsd } from '../../../core/money.ts';
import type { KnownNode, NodeState, Pulse } from '../../../nodes/ports.ts';
import { purseOf } from './purse-codes.ts';

export interface StoredPulse {
  readonly history: string;
  /** See `LOG_POSITION`. */
  readonly position: bigint;
  readonly is_mine: boolean;
  readonly now: bigint;
  readonly live_nodes: number;
  readonly last_seq: bigint;
  readonly missed: boolean;
  readonly seqs: string;
  readonly ats: string;
  readonly topics: string;
  readonly ids: string;
  readonly recalled_kinds: string | null;
  readonly recalled_ids: string | null;
}

export interface StoredNode {
  readonly slot: number;
  readonly epoch: bigint;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly state: NodeState;
  readonly seen_at: bigint;
  readonly seen_ago: bigint;
  readonly feed_seq: bigint;
  readonly unsent_from: bigint | null;
  readonly lent: bigint;
}

export const NODES = `select slot, epoch, id, name, version, state, seen_at, turnpike_now() - seen_at as seen_ago, feed_seq, unsent_from,
  (select coalesce(sum(granted_nano - spent_nano), 0)::bigint from leases where leases.slot = nodes.slot and kind = 0) as lent
  from nodes order by slot`;

/** `history`: of the place that asked; null for any. */
export function readPulse(row: StoredPulse, history: string | null, hasGoneBack: boolean): Pulse {
  const ats = numbers(row.ats);
  const topics = JSON.parse(row.topics) as readonly string[];
  const ids = JSON.parse(row.ids) as readonly string[];
  const changes = numbers(row.seqs).flatMap((seq, index) =>
    seq === null ? [] : [{ seq, at: ats[index] as number, topic: topics[index] as string, id: ids[index] as string }],
  );
  const recalled = numbers(row.recalled_ids);
  return {
    isMine: row.is_mine && (history === null || row.history === history),
    ...(hasGoneBack && { hasGoneBack }),
    now: Number(row.now),
    liveNodes: row.live_nodes,
    lastSeq: Number(row.last_seq),
    changes: row.missed ? null : changes,
    recalls: numbers(row.recalled_kinds).map((kind, index) => purseOf(kind as number, recalled[index] as number)),
  };
}

export function readNode(row: StoredNode): KnownNode {
  const { slot, id, name, version, state, unsent_from: unsentFrom } = row;
  return {
    slot,
    epoch: Number(row.epoch),
    id,
    name,
    version,
    state,
    seenAt: Number(row.seen_at),
    seenAgoMs: Number(row.seen_ago),
    feedSeq: Number(row.feed_seq),
    unsentFrom: unsentFrom === null ? null : Number(unsentFrom),
    lent: nanoUsd(row.lent),
  };
}

/** Without a change there is one null. */
function numbers(json: string | null): readonly (number | null)[] {
  return json === null ? [] : (JSON.parse(json) as readonly (number | null)[]);
}
