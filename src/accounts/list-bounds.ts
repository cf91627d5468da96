/** Length limits of the permission lists of a key, a project or an account. */

/** Characters in one model pattern. */
export const PATTERN_LENGTH_MAX = 300;
/** Characters in one address or range; the longest IPv6 range has 49. */
export const ADDRESS_LENGTH_MAX = 50;
/** Entries in one list. */
export const LIST_MAX = 500;
/** Total characters in all lists of one key, project or account. */
export const PERMISSIONS_LENGTH_MAX = 16_384;
