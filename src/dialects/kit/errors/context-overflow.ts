/**
 * Recognises the vendors' messages for a prompt that exceeds the context window. Coding assistants compact a conversation when they read
 * Anthropic's wording, so callers of that format get that.
 */
export interface Overflow {
  /** Tokens of the prompt, and the model's limit; null if the message does not say. */
  readonly sent: number | null;
  readonly limit: number | null;
}

/** Null when the message is about something else. */
export function readOverflow(message: string): Overflow | null {
  for (const { pattern, sent, limit } of WORDINGS) {
    const match = pattern.exec(message);
    if (match === null) continue;
    return { sent: numberIn(match, sent), limit: numberIn(match, limit) };
  }
  return null;
}

/** The message in Anthropic's words: https://docs.anthropic.com/en/api/errors */
export function overflowMessage(message: string): string {
  const { sent = null, limit = null } = readOverflow(message) ?? {};
  return sent === null || limit === null
    ? 'prompt is too long'
    : `prompt is too long: ${sent} tokens > ${limit} maximum`;
}

interface Wording {
  readonly pattern: RegExp;
  /** The group with the number; 0 if the message has none. */
  readonly sent: number;
  readonly limit: number;
}

const WORDINGS: readonly Wording[] = [
  { pattern: /prompt is too long: (\d+) tokens > (\d+)/i, sent: 1, limit: 2 },
  {
    pattern: /maximum context length is (\d+) tokens.{0,80}?(?:resulted in|requested(?: about)?) (\d+)/is,
    sent: 2,
    limit: 1,
  },
  {
    pattern: /input token count \(?(\d+)\)? exceeds the maximum number of tokens(?: allowed)? \(?(\d+)/i,
    sent: 1,
    limit: 2,
  },
  { pattern: /maximum context length is (\d+)/i, sent: 0, limit: 1 },
  {
    pattern:
      /prompt is too long|input is too long|context[_ ]length[_ ]exceeded|exceeds? the (?:model's )?context (?:window|length)|exceeds the maximum number of tokens/i,
    sent: 0,
    limit: 0,
  },
];

function numberIn(match: RegExpExecArray, group: number): number | null {
  return group === 0 ? null : Number(match[group]);
}
