/** How much of a stream is relayed at a time, and its waiting times. */

/** How often a checkpoint is written, if anything arrived since the last one. */
export const CHECKPOINT_EVERY_MS = 1_000;
export const CHECKPOINT_FRAMES = 256;
/** About how much of a stream is relayed in one turn of the event loop. */
export const TURN_BYTES = 64 * 1024;
/** How long a provider may keep a finished stream's connection open before it is closed. */
export const AFTER_END_MS = 2_000;
/**
 * How long the head waits for the first bytes. If a provider dies right after its own head, nothing has reached the caller
 * and another can be tried; one that takes longer is alive, and the caller gets the head.
 */
export const HEAD_WAITS_MS = 1_000;
