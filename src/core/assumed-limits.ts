/**
 * What a model is taken to read and to write of which nobody said it. The window goes into what is held, so it is what most
 * models read; the cap is sent to the provider, so it is kept whatever the model is, and every model gives as much.
 */

/** Tokens. */
export const ASSUMED_WINDOW = 200_000;
/** Tokens. */
export const ASSUMED_OUTPUT_CAP = 8_192;
