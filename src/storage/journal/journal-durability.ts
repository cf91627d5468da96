/** What a commit survives: a crash of the process, a power failure, the loss of the node with its disk. */
export type JournalDurability = 'process' | 'power' | 'database';
