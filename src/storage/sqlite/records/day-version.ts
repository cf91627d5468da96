/** The version of the files of records: those that write them and those that read them agree on it. See `day-file.ts`. */
export const DAY_VERSION = 12;

/** Every version so far; each can be read. */
export const DAY_VERSIONS: readonly number[] = Array.from({ length: DAY_VERSION }, (_, index) => index + 1);
