const NAME_LENGTH_MAX = 40;

/** A name that somebody chose, without anything that mail clients turn into links. */
export function harmless(name: string): string {
  const words = name.replace(/[^\p{L}\p{M}\p{N} '&-]+/gu, ' ').trim();
  return words.length > NAME_LENGTH_MAX ? `${words.slice(0, NAME_LENGTH_MAX - 1)}…` : words;
}
