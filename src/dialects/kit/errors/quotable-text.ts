/**
 * What a provider says of its own trouble, as far as a caller may read it. A sentence that names a place (an
 * address, a path) is left out, and what stands between commas and speaks of the operator's keys or money; the rest says why,
 * and how long to wait.
 */
import type { ErrorCode } from '../../../core/errors.ts';
import { withoutOwnerNames } from './owner-names.ts';
import { BLANK, shortLine, withoutSecrets } from './safe-message.ts';

/** At most 200 characters; empty where nothing of it may be told. Whose organisation it was is blanked, as is every secret. */
export function quotableText(text: string): string {
  const words = withoutNames(withoutSecrets(text));
  const sentences = words.split(SENTENCE_END).filter((sentence) => !PLACES.test(sentence));
  const parts = sentences
    .flatMap((sentence) => sentence.split(PART_END))
    .filter((part) => /\w/.test(part) && isSafe(part));
  return shortLine(parts.join(' ')).replace(OPEN_END, '');
}

/** Whether all of a text may be told, to its last word: what `quotableText` would leave nothing out of, were it short enough. */
export function isFullyQuotable(text: string): boolean {
  const words = text.replace(OWN_IDS, '');
  if (withoutSecrets(words) !== words || PLACES.test(words) || AFFAIRS.test(words)) return false;
  return withoutNames(words) === words;
}

/**
 * The sentence for a caller: what the provider failed at, and its own words after it. `status` is null for an error inside an
 * answer. Null where the code's own sentence says all there is.
 */
export function troubleText(code: ErrorCode, status: number | null, told: string): string | null {
  if (code === 'bad_gateway') {
    if (status !== null && status < 500) return null;
    const what =
      status === null ? 'The provider failed in the middle of its answer' : `The provider failed (HTTP ${status})`;
    return told === '' ? `${what}.` : `${what}: ${told}`;
  }
  const what = TROUBLES.get(code);
  return what === undefined || told === '' ? null : `${what}: ${told}`;
}

const TROUBLES: ReadonlyMap<ErrorCode, string> = new Map([
  ['upstream_rate_limited', 'The provider is limiting requests'],
  ['upstream_overloaded', 'The provider is overloaded'],
  ['upstream_timeout', 'The provider did not answer in time'],
]);

function withoutNames(text: string): string {
  let words = text;
  for (const [pattern, replacement] of OWNERS) words = words.replace(pattern, replacement);
  return withoutOwnerNames(words, BLANK);
}

/** Behind the mark that ends it, or where a line ends. */
const SENTENCE_END = /(?<=[.!?])\s+|[\r\n]+/;
const PART_END = /(?<=[,;])\s+/;
/** What is left of a sentence whose end was left out. */
const OPEN_END = /(?<![,;])[,;]+$/;

/** Of this one request and its answer: what a vendor's support asks for. */
const OWN_IDS = /\b(?:req|gen|msg|chatcmpl)[-_]\w+/g;
/** Ids of an organisation, a workspace or a project that no digits give away, and names of projects as Google and xAI write them. */
const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, BLANK],
  [/\b(?:org|proj|wrkspc|apikey|svac|acct|sk|ak)[-_]\w{6,}/gi, BLANK],
  [
    /\b((?:projects?|project_(?:number|id)|consumer|tenant|organi[sz]ation|org|team|workspace|account|user|customer)(?:[:=/]|: | ['"`]))[\w.:-]+/gi,
    `$1${BLANK}`,
  ],
];

/** Whose limit it is may be said, since its id is blanked: "in organization [redacted]". */
const BLANKED_OWNER =
  /\b(?:organi[sz]ation|org|project|project_(?:number|id)|workspace|team|account|consumer|tenant|user|customer)s?(?: (?:id|name|named|called|number))?[:=/]? ?[('"`]*\[redacted\]/gi;

/** A key, money, a way to buy more of it: the operator's own affairs. */
const AFFAIRS =
  /\b(?:api[ _-]?keys?|(?:your|own|this|the) keys?|credentials?|secrets?|passwords?|billing|invoices?|payments?|paid|pay|credits?|balances?|plans?|subscriptions?|upgrad\w+|purchas\w+|buy|top[ -]?up|spend\w*|spent|sales|dollars|usd|account (?:is|was|has been))\b|[$€]\s?\d/i;

/** An address, a name with a port, a path, a name of a network's own. */
const PLACES =
  /:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w:\d{2,5}\b|(?:^|\s)\/[\w.-]+\/|\[[\da-f:]+\]|\.(?:internal|local|lan|svc|corp|home)\b/i;

function isSafe(part: string): boolean {
  const rest = part.replace(BLANKED_OWNER, '');
  return !rest.includes(BLANK) && !AFFAIRS.test(rest);
}
