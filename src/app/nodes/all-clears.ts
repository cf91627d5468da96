/**
 * What the log says when a trouble is over. Each has an all-clear, so that nobody searches for what works again; `all-clears.test.ts` says
 * of which kinds there is none, and why. `docs/reference/metrics.md` has both names.
 */
export const ALL_CLEARS = {
  commit_failed: 'commits_written_again',
  commit_delayed: 'commits_written_again',
  disk_full: 'commits_written_again',
  checkpoint_failed: 'checkpoints_done_again',
  row_unreadable: 'row_read_again',
  records_delayed: 'records_written_again',
  settlements_delayed: 'settlements_taken_again',
  settlement_refused: 'refused_settlements_taken',
  durability_lowered: 'durability_kept_again',
  pulse_failed: 'pulse_answered',
  node_not_registered: 'node_registered',
  node_lost_its_place: 'node_registered',
  reap_failed: 'reaps_again',
  bank_did_not_lend: 'bank_lends_again',
  changes_not_followed: 'changes_followed_again',
  changes_missed: 'changes_followed_again',
  changes_not_applied: 'changes_applied_again',
  database_went_back: 'database_followed_again',
  counts_not_exchanged: 'counts_exchanged_again',
} as const;

const NAMES: ReadonlySet<string> = new Set(Object.values(ALL_CLEARS));

export function isAllClear(type: string): boolean {
  return NAMES.has(type);
}

/** Null for what happens at one moment and does not last. */
export function allClearOf(type: string): string | null {
  return type in ALL_CLEARS ? ALL_CLEARS[type as keyof typeof ALL_CLEARS] : null;
}
