/**
 * What of a caller's own words about itself is kept with its call: its user and metadata, and the application that asks, as
 * OpenRouter's clients name it (https://openrouter.ai/docs/app-attribution). Read once the answer has gone.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { withoutKeys } from '../capture/without-keys.ts';
import type { CallLabels } from '../core/call-labels.ts';
import type { Dialect, Inbound, SaidLabels } from '../dialects/dialect.ts';

/** Null where the caller said nothing of the kind. */
export function callLabels(dialect: Dialect, { headers, document }: Inbound): CallLabels | null {
  const app = first(headers, 'x-openrouter-title') ?? first(headers, 'x-title');
  const referer = first(headers, 'http-referer');
  const said = dialect.readLabels?.(document) ?? null;
  if (app === null && referer === null && said === null) return null;
  const labels = {
    user: said?.user == null ? null : kept(said.user, USER_CHARACTERS_MAX),
    app: app === null ? null : known(app, titleOf),
    referer: referer === null ? null : known(referer, addressOf),
    metadata: keptMetadata(said),
  };
  const isEmpty = labels.user === null && labels.app === null && labels.referer === null;
  return isEmpty && Object.keys(labels.metadata).length === 0 ? null : labels;
}

const USER_CHARACTERS_MAX = 256;
const TITLE_CHARACTERS_MAX = 128;
const ADDRESS_CHARACTERS_MAX = 256;
/** What OpenRouter and OpenAI document: https://platform.openai.com/docs/api-reference/chat/create */
const METADATA_MAX = 16;
const NAME_CHARACTERS_MAX = 64;
const VALUE_CHARACTERS_MAX = 512;
/** Control and format characters, line breaks, half characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Applications are few and come with every call. */
const titles = new Map<string, string | null>();
const KNOWN_MAX = 256;

function known(said: string, read: (said: string) => string | null): string | null {
  const key = `${read.name} ${said}`;
  const found = titles.get(key);
  if (found !== undefined) return found;
  const made = read(said);
  if (titles.size === KNOWN_MAX) titles.clear();
  titles.set(key, made);
  return made;
}

function titleOf(said: string): string | null {
  return kept(asText(said), TITLE_CHARACTERS_MAX);
}

/** Scheme, host and path: a query may hold anything. */
function addressOf(said: string): string | null {
  const url = URL.parse(said);
  return url === null ? null : kept(`${url.protocol}//${url.host}${url.pathname}`, ADDRESS_CHARACTERS_MAX);
}

function keptMetadata(said: SaidLabels | null): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (const [name, value] of said?.metadata ?? []) {
    if (pairs.length === METADATA_MAX) break;
    const shown = kept(name, NAME_CHARACTERS_MAX);
    if (shown === null) continue;
    const cut = plain(value, VALUE_CHARACTERS_MAX);
    // By its name a value may be known for a key.
    const isKey = withoutKeys(`${shown}: ${cut}`) !== `${shown}: ${withoutKeys(cut)}`;
    pairs.push([shown, isKey ? '[key]' : withoutKeys(cut)]);
  }
  return Object.fromEntries(pairs);
}

/** Null where nothing is left. */
function kept(said: string, charactersMax: number): string | null {
  return withoutKeys(plain(said, charactersMax)) || null;
}

/** Cut first, so that what is long is not looked through. */
function plain(said: string, charactersMax: number): string {
  return said.slice(0, charactersMax).replace(UNPRINTABLE, '').trim();
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
