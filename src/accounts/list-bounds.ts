/** How long the lists of permissions may be that stand on a key, a project or an account. */

/** Characters of one pattern of models. */
export const PATTERN_LENGTH_MAX = 300;
/** Characters of one address or range; the longest IPv6 range has 49. */
export const ADDRESS_LENGTH_MAX = 50;
/** Entries of one list. */
export const LIST_MAX = 500;
/** Characters of all lists of one key, project or account together. */
export const PERMISSIONS_LENGTH_MAX = 16_384;
