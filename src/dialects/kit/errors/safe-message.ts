/**
 * A provider's message made safe for records: one short line without anything that looks like a key, a credential or the id of the
 * operator's organisation. Redacts too much rather than too little.
 */
import { withoutOwners } from './names-operator.ts';

const MESSAGE_LENGTH_MAX = 200;
/** More is never shown, so the patterns below need not read more. */
const READ_LENGTH_MAX = 2000;
export const BLANK = '[redacted]';

export function safeMessage(text: string): string {
  return shortLine(withoutSecrets(text));
}

/** The first 2,000 characters of `text`, each secret in them replaced by `BLANK`; line breaks stay. */
export function withoutSecrets(text: string): string {
  let message = text.slice(0, READ_LENGTH_MAX);
  for (const [pattern, replacement] of SECRETS) message = message.replace(pattern, replacement);
  return withoutOwners(message, BLANK);
}

/** One line of at most 200 characters. */
export function shortLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim().slice(0, MESSAGE_LENGTH_MAX).toWellFormed();
}

const SECRETS: readonly (readonly [RegExp, (found: string, before: string) => string])[] = [
  [/[\w.+%@-]+/g, blankAddress],
  [/\b(bearer|basic)\s+[^\s"',]+/gi, (_, scheme) => `${scheme} ${BLANK}`],
  [/([?&](?:api[_-]?)?(?:key|token|secret|signature)=)[^&\s"']+/gi, (_, name) => `${name}${BLANK}`],
  [/[\w.*-]+/g, blankKey],
  [/[\w*-]+/g, (run) => (run.includes('***') ? BLANK : run)],
  // Long runs of mixed letters and digits are keys, hashes or ids; words and model names have none.
  [/\b(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{16,}\b/g, () => BLANK],
];

/** Redacts an email address; a model's version after an `@` has no domain. */
function blankAddress(run: string): string {
  const at = run.indexOf('@');
  if (at < 1) return run;
  const domain = run
    .slice(at + 1)
    .split('.')
    .filter((label) => label !== '');
  return domain.length > 1 && /^[a-z]{2,}$/i.test(domain.at(-1) ?? '') ? BLANK : run;
}

/**
 * Redacts prefixed keys and ids with a digit or a star, including masked ones (`sk-ab***yz`). `run` contains all characters that a key may
 * have.
 */
function blankKey(run: string): string {
  const prefix = KEY_PREFIX.exec(run);
  if (prefix === null || !/[\d*][\w.*-]{3}/.test(run.slice(prefix.index + prefix[0].length))) return run;
  return run.slice(0, prefix.index) + BLANK;
}

const KEY_PREFIX = /\b(?:sk|pk|rk|gsk|xai|or|key|org|wrkspc|apikey|proj|user|acct|hf|nvapi|pplx|AIza|ya29|eyJ)/;

/** Control characters and runs of white space; a line break in a record would forge another line. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cf}]+/gu;
