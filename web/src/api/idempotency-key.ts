/** The idempotency key of a creation: the same for the same input, so that a retry gets the first answer. */

export interface IdempotencyKeys {
  /** The key for this input: that of the previous attempt if nothing was changed since. */
  for(input: unknown): string;
  /** The creation succeeded: the next one gets another key. */
  forget(): void;
}

/** One for each opened dialog. The server refuses a key that is sent with other content, so a change has its own. */
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

/** 128 bits. `randomUUID` is missing if the dashboard is opened without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
