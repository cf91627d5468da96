/**
 * A provider's words, fit for a record that people read: one line, short, and without anything
 * that looks like a key, a credential or the id of the operator's organisation. Blanks too much
 * rather than too little.
 */
const MESSAGE_LENGTH_MAX = 200;
/** More is never shown, and the patterns below need not read more. */
const READ_LENGTH_MAX = 2000;
const BLANK = '[redacted]';

export function safeMessage(text: string): string {
  let message = text.slice(0, READ_LENGTH_MAX);
  for (const [pattern, replacement] of SECRETS) message = message.replace(pattern, replacement);
  message = message.replace(UNPRINTABLE, ' ').trim();
  return message.slice(0, MESSAGE_LENGTH_MAX).toWellFormed();
}

/** What a caller is told of an error inside an answer that is the provider's own fault. `message` is a `safeMessage`, or empty. */
export function failedInAnswer(message: string): string {
  return failureText('The provider failed in the middle of its answer', message);
}

/** What a caller is told of a failure: the provider's words behind ours, unless they name a place in the operator's network. */
export function failureText(what: string, message: string): string {
  return message === '' || PLACES.test(message) ? `${what}.` : `${what}: ${message}`;
}

/** A blanked secret, an address, a name with a port, a path, a name of a network's own. */
const PLACES =
  /\[redacted\]|:\/\/|\b\d{1,3}(\.\d{1,3}){3}\b|\b[\w-]+(\.[\w-]+)*:\d{2,5}\b|(^|\s)\/[\w.-]+\/|\[[\da-f:]+\]|\.(internal|local|lan|svc|corp|home)\b/i;

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[^\s"',]+/gi, `$1 ${BLANK}`],
  [/([?&](?:api[_-]?)?(?:key|token|secret|signature)=)[^&\s"']+/gi, `$1${BLANK}`],
  // Prefixed keys and ids, masked ones (`sk-ab***yz`) included.
  [
    /\b(sk|pk|rk|gsk|xai|or|key|org|wrkspc|apikey|proj|user|acct|hf|nvapi|pplx|AIza|ya29|eyJ)[-_.]?[\w.*-]*[\d*][\w.*-]{3,}/g,
    BLANK,
  ],
  [/[\w-]*\*{3,}[\w*-]*/g, BLANK],
  // Long runs of mixed letters and digits are keys, hashes or ids; words and model names have no such run.
  [/\b(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{16,}\b/g, BLANK],
];

/** Control characters and runs of white space; a line break in a record would forge another line. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cf}]+/gu;
