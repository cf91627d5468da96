/** Under which key a creation is sent: the same for the same, so that a retry is given the first answer. */

export interface IdempotencyKeys {
  /** The key for this input: that of the attempt before, where nothing was changed since. */
  for(input: unknown): string;
  /** It was made: the next one is another. */
  forget(): void;
}

/** One for each opened dialog. The server refuses a key that comes with another content, so a change has its own. */
export function idempotencyKeys(random: () => string = randomKey): IdempotencyKeys {
  let last: { readonly content: string; readonly key: string } | null = null;
  return {
    for(input) {
      const content = JSON.stringify(input);
      if (last?.content !== content) last = { content, key: random() };
      return last.key;
    },
    forget() {
      last = null;
    },
  };
}

/** 128 bits. `randomUUID` is not there where the dashboard is opened without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
