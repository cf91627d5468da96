/**
 * The labels kept with a call: the caller's user and metadata, and the calling application as OpenRouter's clients name it
 * (https://openrouter.ai/docs/app-attribution). Read after the answer has been sent. The records of all accounts share one
 * disk, so labels are short: see `fitLabels`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type ShortText, withoutKeys } from '../../capture/without-keys.ts';
import { type CallLabels, LABEL_BYTES_MAX } from '../../core/call-labels.ts';
import type { CallerDialect } from '../../dialects/dialect.ts';
import type { CallerLabels } from '../../dialects/interface/caller-labels.ts';
import type { Inbound } from '../../dialects/interface/inbound.ts';
import { fitLabels } from './fit-labels.ts';
import { mayHoldKey, ownKeyTest } from './own-key-test.ts';

/** Null if the request has no labels. */
export function callLabels(dialect: CallerDialect, { headers, document }: Inbound): CallLabels | null {
  const app = first(headers, 'x-openrouter-title') ?? first(headers, 'x-title');
  const referer = first(headers, 'http-referer');
  const said = dialect.readLabels?.(document) ?? null;
  if (app === null && referer === null && said === null) return null;
  const title = app === null ? NOTHING : cached(titles, app, headers, titleOf);
  const address = referer === null ? NOTHING : cached(addresses, referer, headers, addressOf);
  const isCut = title.isCut || address.isCut;
  if (said === null && !isCut) {
    if (title.text === '' && address.text === '') return null;
    if (title.bytes + address.bytes <= LABEL_BYTES_MAX)
      return { user: null, app: title.text || null, referer: address.text || null, metadata: {}, isCut };
  }
  const own = said === null ? NOTHING_SAID : keptOf(said, headers);
  return fitLabels({ ...own, app: title.text, referer: address.text, isCut: isCut || own.isCut });
}

const USER_CHARACTERS_MAX = 256;
const TITLE_CHARACTERS_MAX = 128;
const ADDRESS_CHARACTERS_MAX = 256;
/** What OpenRouter and OpenAI document: https://platform.openai.com/docs/api-reference/chat/create */
const METADATA_MAX = 16;
const NAME_CHARACTERS_MAX = 64;
const VALUE_CHARACTERS_MAX = 512;
/**
 * How far beyond the kept text to search: any known kind of key except a token is recognised within that, even with each
 * letter escaped.
 */
const LOOK_AHEAD = 384;
/** A longer URL is not an application's. */
const ADDRESS_SAID_MAX = 2048;
/** The first half of a surrogate pair: https://unicode.org/faq/utf_bom.html#utf16-2 */
const HIGH_HALF = 0xd800;
/** Control and format characters, line breaks, half characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

interface KeptText {
  /** '' if nothing is left. */
  readonly text: string;
  readonly bytes: number;
  readonly isCut: boolean;
}

const NOTHING: KeptText = { text: '', bytes: 0, isCut: false };
const NOTHING_SAID = { user: '', metadata: [], isCut: false };

type TextReader = (said: string, headers: IncomingHttpHeaders) => KeptText;

/** Caches: applications are few and come with every call. */
const titles = new Map<string, KeptText>();
const addresses = new Map<string, KeptText>();
const KNOWN_MAX = 256;
const KNOWN_CHARACTERS_MAX = 512;

/** A text that may contain a caller's key is not cached: it is tested against each caller's own. */
function cached(texts: Map<string, KeptText>, said: string, headers: IncomingHttpHeaders, read: TextReader): KeptText {
  const found = said.length > KNOWN_CHARACTERS_MAX ? undefined : texts.get(said);
  if (found !== undefined) return found;
  const made = read(said, headers);
  if (said.length > KNOWN_CHARACTERS_MAX || mayHoldKey(said)) return made;
  if (texts.size === KNOWN_MAX) texts.clear();
  texts.set(said, made);
  return made;
}

function titleOf(said: string, headers: IncomingHttpHeaders): KeptText {
  return keptAlone(asText(said), TITLE_CHARACTERS_MAX, headers);
}

/** Scheme, host and path: a query may hold anything. */
function addressOf(said: string, headers: IncomingHttpHeaders): KeptText {
  if (said.length > ADDRESS_SAID_MAX) return { ...NOTHING, isCut: true };
  const url = URL.parse(said);
  if (url === null) return NOTHING;
  return keptAlone(`${url.protocol}//${url.host}${url.pathname}`, ADDRESS_CHARACTERS_MAX, headers);
}

function keptAlone(said: string, charactersMax: number, headers: IncomingHttpHeaders): KeptText {
  const short = shorten(said, charactersMax);
  const [text = ''] = withoutKeys([short], testFor([short], headers));
  return { text, bytes: Buffer.byteLength(text), isCut: isShortened(short) };
}

/** Bounds the texts first, then searches them all for keys once: only the characters that fit, and what follows each. */
function keptOf(said: CallerLabels, headers: IncomingHttpHeaders) {
  const user = shorten(said.user ?? '', USER_CHARACTERS_MAX);
  const texts = [user];
  let left = LABEL_BYTES_MAX - user.keep;
  let isCut = said.isCut || isShortened(user);
  for (const [name, value] of said.metadata) {
    const shortName = shorten(name, NAME_CHARACTERS_MAX);
    // A part of a name would be another name.
    const fits = shortName.keep <= left && !isShortened(shortName);
    if (!fits || texts.length > 2 * METADATA_MAX) isCut = true;
    if (left <= 0 || texts.length > 2 * METADATA_MAX) break;
    if (!fits || shortName.text === '') continue;
    left -= shortName.keep;
    const shortValue = shorten(value, Math.min(VALUE_CHARACTERS_MAX, left));
    left -= shortValue.keep;
    isCut ||= isShortened(shortValue);
    texts.push({ ...shortName, isName: true }, shortValue);
  }
  const [keptUser = '', ...rest] = withoutKeys(texts, testFor(texts, headers));
  const metadata: [string, string][] = [];
  for (let at = 0; at + 1 < rest.length; at += 2) metadata.push([rest[at] as string, rest[at + 1] as string]);
  return { user: keptUser, metadata, isCut };
}

/** Removes control characters. If the text was cut, the kept part ends well before the end of the searched part. */
function shorten(said: string, charactersMax: number): ShortText {
  const isCut = said.length > charactersMax + LOOK_AHEAD;
  const text = (isCut ? said.slice(0, charactersMax + LOOK_AHEAD) : said).replace(UNPRINTABLE, '').trim();
  const keep = Math.min(charactersMax, isCut ? Math.max(0, text.length - LOOK_AHEAD) : text.length);
  const isHalved = keep < text.length && (text.charCodeAt(keep - 1) & 0xfc00) === HIGH_HALF;
  return { text, keep: isHalved ? keep - 1 : keep, isCut, isName: false };
}

function isShortened({ text, keep, isCut }: ShortText): boolean {
  return isCut || keep < text.length;
}

/** Null if no text is long enough to contain the caller's key. */
function testFor(texts: readonly ShortText[], headers: IncomingHttpHeaders): ((text: string) => boolean) | null {
  return texts.some(({ text }) => mayHoldKey(text)) ? ownKeyTest(headers) : null;
}

/** Node decodes headers as Latin-1; this decodes UTF-8. */
function asText(said: string): string {
  const bytes = Buffer.from(said, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? said : text;
}

function first(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  const one = Array.isArray(value) ? value[0] : value;
  return one === undefined || one === '' ? null : one;
}
