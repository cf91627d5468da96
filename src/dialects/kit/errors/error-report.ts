/** Reads the error bodies of the vendors that speak this format; they agree on little. */
import { asArray, asObject, asText, type JsonObject, parseOrNull } from '../../../core/json-object.ts';
import { pageText } from './page-text.ts';

export interface Report {
  /** Whether the body is an error as an API writes it, not a proxy's page or an empty answer. */
  readonly isApiError: boolean;
  readonly message: string;
  /** Every code, type and status word of it, in lower case. */
  readonly words: readonly string[];
  /** Whether OpenRouter reports that a prompt was moderated. */
  readonly moderated: boolean;
  readonly retryDelaySeconds: number | null;
}

/** Never throws: anything unreadable is reported as a page. */
export function parseReport(text: string): Report {
  const json = parseOrNull(text);
  // Google's compatible API wraps the object in an array.
  const outer = asObject(Array.isArray(json) ? json[0] : json);
  return outer === null ? reportOfPage(text) : reportOfJson(outer);
}

function reportOfJson(outer: JsonObject): Report {
  const error = asObject(outer['error']);
  const inner = error ?? outer;
  const metadata = asObject(inner['metadata']) ?? {};
  const details = asArray(inner['details']).map(asObject);
  const message =
    rawText(inner, metadata) ?? asText(inner['message']) ?? asText(outer['error']) ?? detailText(inner) ?? '';
  const words = [
    inner['code'],
    inner['type'],
    inner['status'],
    outer['code'],
    metadata['error_type'],
    ...details.map((detail) => detail?.['reason']),
  ];
  return {
    isApiError: error !== null || message !== '',
    message,
    words: words.filter((word) => typeof word === 'string').map((word) => word.toLowerCase()),
    moderated: metadata['flagged_input'] !== undefined || asArray(metadata['reasons']).length > 0,
    retryDelaySeconds: readDelay(details.find((detail) => asText(detail?.['retryDelay']) !== null)?.['retryDelay']),
  };
}

function reportOfPage(text: string): Report {
  return {
    isApiError: false,
    message: pageText(text.slice(0, PAGE_LENGTH_MAX)),
    words: [],
    moderated: false,
    retryDelaySeconds: null,
  };
}

const PAGE_LENGTH_MAX = 4096;

/**
 * The message of OpenRouter's own provider, if OpenRouter's message is generic: a text, or an error as JSON. Otherwise null.
 * https://openrouter.ai/docs/api-reference/errors (`metadata.raw`)
 */
function rawText(inner: JsonObject, metadata: JsonObject): string | null {
  if (inner['message'] !== 'Provider returned error') return null;
  const raw = asText(metadata['raw']);
  if (raw === null || raw.trimStart().startsWith('<')) return null;
  const json = parseOrNull(raw);
  const outer = asObject(Array.isArray(json) ? json[0] : json);
  if (outer === null) return raw;
  const error = asObject(outer['error']) ?? outer;
  return asText(error['message']) ?? asText(outer['error']) ?? detailText(error);
}

/** Mistral and other servers built on FastAPI: `detail` or `message.detail`, a text or a list of `{loc, msg}`. */
function detailText(inner: JsonObject): string | null {
  const detail = inner['detail'] ?? asObject(inner['message'])?.['detail'];
  if (typeof detail === 'string') return asText(detail);
  return asText(
    asArray(detail)
      .map((item) => asText(asObject(item)?.['msg']))
      .filter((item) => item !== null)
      .join('; '),
  );
}

/** `"34.4s"`: https://cloud.google.com/apis/design/errors#error_details (RetryInfo) */
function readDelay(value: unknown): number | null {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(typeof value === 'string' ? value : '');
  return match === null ? null : Number(match[1]);
}
