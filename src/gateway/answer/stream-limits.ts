/** How much of a stream is relayed at a time, and how long it waits for what. */

/** What is charged should the process die is noted this often, where anything came in between. */
export const CHECKPOINT_EVERY_MS = 1_000;
export const CHECKPOINT_FRAMES = 256;
/** What of a stream is relayed in one turn of the event loop, about. */
export const TURN_BYTES = 64 * 1024;
/** How long a provider may keep a finished stream's connection before it is cut. */
export const AFTER_END_MS = 2_000;
/**
 * How long the head waits for something to go with it. A provider that dies right after its own head has told the
 * caller nothing then, and another can be asked; who takes longer to begin is alive, and the caller learns of it.
 */
export const HEAD_WAITS_MS = 1_000;
