/**
 * Limits assumed for a model whose limits are not configured. The window determines the hold, so it is the window of most
 * models; the output cap is sent to the provider, so it is a value that every model accepts.
 */

/** Tokens. */
export const ASSUMED_WINDOW = 200_000;
/** Tokens. */
export const ASSUMED_OUTPUT_CAP = 8_192;
