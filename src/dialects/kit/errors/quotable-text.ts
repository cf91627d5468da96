/**
 * What a caller may read of a provider's message about its own failure. Sentences with an address or a path are left out, as are clauses
 * about the operator's keys or money; the rest says why it failed, and how long to wait.
 */
import type { ErrorCode } from '../../../core/errors.ts';
import { withoutOwnerNames } from './owner-names.ts';
import { BLANK, shortLine, withoutSecrets } from './safe-message.ts';

/** At most 200 characters; empty if nothing may be quoted. Names of organisations and secrets are redacted. */
export function quotableText(text: string): string {
  const words = withoutNames(withoutSecrets(text));
  const sentences = words.split(SENTENCE_END).filter((sentence) => !PLACES.test(sentence));
  const parts = sentences
    .flatMap((sentence) => sentence.split(PART_END))
    .filter((part) => /\w/.test(part) && isSafe(part));
  return shortLine(parts.join(' ')).replace(OPEN_END, '');
}

/** Whether the whole text may be quoted: `quotableText` would leave nothing out if it were short enough. */
export function isFullyQuotable(text: string): boolean {
  const words = text.replace(OWN_IDS, '');
  if (withoutSecrets(words) !== words || PLACES.test(words) || AFFAIRS.test(words)) return false;
  return withoutNames(words) === words;
}

/**
 * The message for a caller: how the provider failed, then its own words. `status` is null for an error inside an answer. Null if the code's
 * own message is enough.
 */
export function troubleText(code: ErrorCode, status: number | null, quotable: string): string | null {
  if (code === 'bad_gateway') {
    if (status !== null && status < 500) return null;
    const what =
      status === null ? 'The provider failed in the middle of its answer' : `The provider failed (HTTP ${status})`;
    return quotable === '' ? `${what}.` : `${what}: ${quotable}`;
  }
  const what = TROUBLES.get(code);
  return what === undefined || quotable === '' ? null : `${what}: ${quotable}`;
}

const TROUBLES: ReadonlyMap<ErrorCode, string> = new Map([
  ['upstream_rate_limited', 'The provider is limiting requests'],
  ['upstream_overloaded', 'The provider is overloaded'],
  ['upstream_timeout', 'The provider did not respond in time'],
]);

function withoutNames(text: string): string {
  let words = text;
  for (const [pattern, replacement] of OWNERS) words = words.replace(pattern, replacement);
  return withoutOwnerNames(words, BLANK);
}

/** After the punctuation that ends a sentence, or at a line end. */
const SENTENCE_END = /(?<=[.!?])\s+|[\r\n]+/;
const PART_END = /(?<=[,;])\s+/;
/** Trailing commas of a sentence whose end was left out. */
const OPEN_END = /(?<![,;])[,;]+$/;

/** Ids of this request and its answer, which a vendor's support asks for. */
const OWN_IDS = /\b(?:req|gen|msg|chatcmpl)[-_]\w+/g;
/** Ids of organisations, workspaces and projects that have no digits, and names of projects as Google and xAI write them. */
const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, BLANK],
  [/\b(?:org|proj|wrkspc|apikey|svac|acct|sk|ak)[-_]\w{6,}/gi, BLANK],
  [
    /\b((?:projects?|project_(?:number|id)|consumer|tenant|organi[sz]ation|org|team|workspace|account|user|customer)(?:[:=/]|: | ['"`]))[\w.:-]+/gi,
    `$1${BLANK}`,
  ],
];

/** The owner of a limit may be mentioned, since its id is redacted: "in organization [redacted]". */
const BLANKED_OWNER =
  /\b(?:organi[sz]ation|org|project|project_(?:number|id)|workspace|team|account|consumer|tenant|user|customer)s?(?: (?:id|name|named|called|number))?[:=/]? ?[('"`]*\[redacted\]/gi;

/** Keys, money and purchases: the operator's business. */
const AFFAIRS =
  /\b(?:api[ _-]?keys?|(?:your|own|this|the) keys?|credentials?|secrets?|passwords?|billing|invoices?|payments?|paid|pay|credits?|balances?|plans?|subscriptions?|upgrad\w+|purchas\w+|buy|top[ -]?up|spend\w*|spent|sales|dollars|usd|account (?:is|was|has been))\b|[$€]\s?\d/i;

/** URLs, IP addresses, hosts with a port, paths, and internal host names. */
const PLACES =
  /:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w:\d{2,5}\b|(?:^|\s)\/[\w.-]+\/|\[[\da-f:]+\]|\.(?:internal|local|lan|svc|corp|home)\b/i;

function isSafe(part: string): boolean {
  const rest = part.replace(BLANKED_OWNER, '');
  return !rest.includes(BLANK) && !AFFAIRS.test(rest);
}
