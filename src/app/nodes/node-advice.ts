/** What an operator does about alerts of the database and of nodes; each is explained in `docs/reference/metrics.md`. */

export const NODE_ADVICE: Readonly<Record<string, string>> = {
  row_unreadable:
    'Correct the row, or delete what it describes; everything else is served. `turnpike doctor` lists such rows.',
  settlements_delayed: "Make the database reachable: settlements wait in this node's data folder, which must be kept.",
  durability_lowered:
    'Make the database answer within the time it usually needs. Until then the loss of this machine loses what is only in its data folder.',
  settlement_conflict:
    "Compare the calls named with the providers' invoices, and report this: no call should be settled twice.",
  settlement_refused:
    "Keep this node's data folder: the calls named are in it and are not charged. Remove the cause, or report it; then run `turnpike nodes set-aside --send-again`.",
  settlements_lost:
    "Find out why the machine stopped. With `durability: power` or `database`, settled calls survive that; what these calls cost is in the providers' invoices.",
  settled_late:
    'Find out why this node was away from the database for two minutes, or whether the database went back (failover, restore). What it cost is in column node_loss_nano of the calls.',
  settled_unlent:
    'If the database went back (failover, restore), accounts that it lost are the reason; `turnpike ledger verify` counts them. Otherwise report this: a node must not spend more than it was lent. What it cost is in column node_loss_nano of the calls.',
  bank_did_not_lend: 'Make the database reachable from this node, and see whether it is overloaded.',
  pulse_failed: 'Make the database reachable from this node; it goes on by itself.',
  node_not_registered: 'The cause says what is in the way; the node tries again by itself.',
  node_lost_its_place: 'Find out why this node was away from the database, or did not run, for two minutes.',
  nodes_lost: 'Start the nodes in these slots again, with their data folders: what they have not sent is in them.',
  reap_failed: 'If this repeats, see what the database logs at this time.',
  node_did_not_leave:
    'Nothing is lost: what was lent to this node returns when it starts again, or two minutes after its end, if another node runs.',
  settlements_not_forwarded: 'Start this node again with its data folder once the database can be reached.',
  changes_not_followed:
    'Make the database reachable from this node; until then it may not know keys that were made or revoked elsewhere.',
  changes_not_applied: 'The cause says what is wrong; correct it, or start this node again.',
  changes_missed: 'Nothing has to be done, unless this repeats: then see why the node is so far behind.',
  database_went_back:
    'After a failover nothing has to be done. After a restore without `turnpike ledger adopt`: stop every node, run it, and start them again, or wait 150 s; until then accounts lack what was lent to nodes that did not start again.',
  counts_not_exchanged:
    'The cause says what is wrong with this way, and at which server; correct it there. Calls go on meanwhile.',
};

/** For the log line of an alert; empty for one that is not about nodes. */
export function nodeAdvice(type: string): { readonly advice?: string } {
  const advice = NODE_ADVICE[type];
  return advice === undefined ? {} : { advice };
}
