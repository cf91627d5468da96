/**
 * What of a caller's own words about itself is kept with its call: its user and metadata, and the application that asks, as
 * OpenRouter's clients name it (https://openrouter.ai/docs/app-attribution). Read once the answer has gone. The records of all
 * accounts share one disk, so that labels have little room: see `fitLabels`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type ShortText, withoutKeys } from '../../capture/without-keys.ts';
import { type CallLabels, LABEL_BYTES_MAX } from '../../core/call-labels.ts';
import type { CallerDialect } from '../../dialects/dialect.ts';
import type { CallerLabels } from '../../dialects/interface/caller-labels.ts';
import type { Inbound } from '../../dialects/interface/inbound.ts';
import { fitLabels } from './fit-labels.ts';
import { mayHoldKey, ownKeyTest } from './own-key-test.ts';

/** Null where the caller said nothing of the kind. */
export function callLabels(dialect: CallerDialect, { headers, document }: Inbound): CallLabels | null {
  const app = first(headers, 'x-openrouter-title') ?? first(headers, 'x-title');
  const referer = first(headers, 'http-referer');
  const said = dialect.readLabels?.(document) ?? null;
  if (app === null && referer === null && said === null) return null;
  const title = app === null ? NOTHING : known(titles, app, headers, titleOf);
  const address = referer === null ? NOTHING : known(addresses, referer, headers, addressOf);
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
/** How far past what is kept is searched: any known key but a token is recognised within that, even with each letter escaped. */
const LOOK_AHEAD = 384;
/** An address that is longer is none of an application. */
const ADDRESS_SAID_MAX = 2048;
/** The first half of a character of two: https://unicode.org/faq/utf_bom.html#utf16-2 */
const HIGH_HALF = 0xd800;
/** Control and format characters, line breaks, half characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

interface KeptText {
  /** '' where nothing is left. */
  readonly text: string;
  readonly bytes: number;
  readonly isCut: boolean;
}

const NOTHING: KeptText = { text: '', bytes: 0, isCut: false };
const NOTHING_SAID = { user: '', metadata: [], isCut: false };

type TextReader = (said: string, headers: IncomingHttpHeaders) => KeptText;

/** Applications are few and come with every call. */
const titles = new Map<string, KeptText>();
const addresses = new Map<string, KeptText>();
const KNOWN_MAX = 256;
const KNOWN_CHARACTERS_MAX = 512;

/** What may hold a caller's key is not remembered: it is tested against each caller's. */
function known(texts: Map<string, KeptText>, said: string, headers: IncomingHttpHeaders, read: TextReader): KeptText {
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

/** Bounded first, then looked through for keys once, all together. No more characters are looked at than have room, and what follows each. */
function keptOf(said: CallerLabels, headers: IncomingHttpHeaders) {
  const user = shorten(said.user ?? '', USER_CHARACTERS_MAX);
  const texts = [user];
  let room = LABEL_BYTES_MAX - user.keep;
  let isCut = said.isCut || isShortened(user);
  for (const [name, value] of said.metadata) {
    const shortName = shorten(name, NAME_CHARACTERS_MAX);
    // Half a name is another name.
    const fits = shortName.keep <= room && !isShortened(shortName);
    if (!fits || texts.length > 2 * METADATA_MAX) isCut = true;
    if (room <= 0 || texts.length > 2 * METADATA_MAX) break;
    if (!fits || shortName.text === '') continue;
    room -= shortName.keep;
    const shortValue = shorten(value, Math.min(VALUE_CHARACTERS_MAX, room));
    room -= shortValue.keep;
    isCut ||= isShortened(shortValue);
    texts.push({ ...shortName, isName: true }, shortValue);
  }
  const [keptUser = '', ...rest] = withoutKeys(texts, testFor(texts, headers));
  const metadata: [string, string][] = [];
  for (let at = 0; at + 1 < rest.length; at += 2) metadata.push([rest[at] as string, rest[at + 1] as string]);
  return { user: keptUser, metadata, isCut };
}

/** Without what a terminal could obey. Where it was cut, what is kept ends well before the end of what is looked at. */
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

/** Null where no text is long enough to hold the caller's key. */
function testFor(texts: readonly ShortText[], headers: IncomingHttpHeaders): ((text: string) => boolean) | null {
  return texts.some(({ text }) => mayHoldKey(text)) ? ownKeyTest(headers) : null;
}

/** Node reads a header byte by byte; what is UTF-8 is read as that. */
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
