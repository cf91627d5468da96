/**
 * Requests a provider's list of models: the cheapest request that shows whether its address is right and its credential
 * accepted. It costs nothing and is only made when an operator asks. The text of a provider's error is not repeated, because
 * some providers echo the credential.
 */
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Provider } from '../providers/provider.ts';
import type { AnswerHeaders, SignedRead } from '../providers/route.ts';
import { AnswerTooLarge } from '../upstream/body-collector.ts';
import { EgressRefused } from '../upstream/egress-policy.ts';
import { ProxyFailure } from '../upstream/proxy-failure.ts';

export interface ProbeRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET';
  readonly headers: Record<string, string>;
  /** Whether the address must pass the egress policy. */
  readonly isJudged: boolean;
  /** For the whole answer. */
  readonly timeoutMs: number;
}

export interface ProbeAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
}

/** Sends one request and collects its answer; rejects if there is none. */
export type Send = (request: ProbeRequest) => Promise<ProbeAnswer>;

export interface ConnectionReport {
  readonly provider: string;
  readonly origin: string;
  /** Whether a call would reach the provider, as far as this test can show. */
  readonly ok: boolean;
  /** The provider's HTTP status, or null when there was no answer. */
  readonly status: number | null;
  /** How many models it lists, or null if unknown. */
  readonly models: number | null;
  /** The names of the first 500. */
  readonly modelNames: readonly string[];
  readonly durationMs: number;
  /** What is wrong and what to do, in one sentence; null if nothing is wrong. */
  readonly problem: string | null;
  /** Of each credential, in the order of their numbers; empty if it needs none. */
  readonly credentials: readonly CredentialReport[];
}

export interface CredentialReport extends Pick<ConnectionReport, 'ok' | 'status' | 'durationMs' | 'problem'> {
  /** Its last characters; null if it is too short to show any, or fetched from elsewhere. */
  readonly hint: string | null;
}

export interface ProbeParts {
  readonly send: Send;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** The provider repeated its credential among the names of its models; those are left out. */
  readonly onEcho?: (provider: string) => void;
}

export interface TestOptions {
  /** Whether a passed test clears a recorded connection failure; otherwise the test changes nothing. */
  readonly endsTrouble: boolean;
}

/** A test with its dependencies bound. */
export type TestConnection = (provider: Provider, options: TestOptions) => Promise<ConnectionReport>;

const NO_HEADERS: Record<string, string> = {};

/** Tests every credential, each alone. What is reported of the whole is of the first that works; it is ok if all are. */
export async function testConnection(provider: Provider, parts: ProbeParts): Promise<ConnectionReport> {
  const [first, ...others] = await Promise.all(
    Array.from({ length: Math.max(1, provider.credentialCount) }, (_, number) =>
      testCredential(provider, number, parts),
    ),
  );
  assert(first !== undefined, 'at least one request is made');
  const all = [first, ...others];
  const hints = provider.credentialHints;
  const credentials = all.slice(0, provider.credentialCount).map(({ ok, status, durationMs, problem }, index) => ({
    hint: hints[index] ?? null,
    ok,
    status,
    durationMs,
    problem,
  }));
  const best = all.find(({ ok }) => ok) ?? first;
  if (all.every(({ ok }) => ok) || all.length === 1) return { ...best, credentials };
  return { ...best, ok: false, problem: problemOf(credentials), credentials };
}

/** Names the credentials that failed; the reason, if all of them have the same. */
function problemOf(credentials: readonly CredentialReport[]): string {
  const failed = credentials.flatMap((each, index) => (each.ok ? [] : [{ ...each, index }]));
  const [first] = failed;
  const why = first?.problem ?? '';
  const isAlike = failed.every(({ problem }) => problem === why);
  if (failed.length === credentials.length && isAlike) return why;
  const names = failed.map(({ hint, index }) => `${index + 1}${hint === null ? '' : ` (…${hint})`}`);
  const which = names.length === 1 ? 'Credential' : 'Credentials';
  return `${which} ${names.join(', ')} of ${credentials.length} failed${isAlike ? `: ${why}` : '.'}`;
}

async function testCredential(
  provider: Provider,
  number: number,
  parts: ProbeParts,
): Promise<Omit<ConnectionReport, 'credentials'>> {
  const { send, clock, timeoutMs } = parts;
  const startedMs = clock.monotonic();
  let echoed = false;
  let secrets: SignedRead['secrets'] | null = null;
  const leaksCredential = (name: string) => {
    const leaks = secrets?.(name) === true;
    echoed ||= leaks;
    return leaks;
  };
  const report = (
    status: number | null,
    models: Models | null,
    problem: string | null,
  ): Omit<ConnectionReport, 'credentials'> => ({
    provider: provider.name,
    origin: provider.origin,
    ok: problem === null,
    status,
    models: models?.count ?? null,
    modelNames: models?.names ?? [],
    durationMs: clock.monotonic() - startedMs,
    problem,
  });
  try {
    let list = await provider.listModels(number);
    secrets = list?.secrets ?? null;
    const { origin, target: path } = list ?? { origin: provider.origin, target: '/' };
    const { isJudged } = provider;
    const ask = (headers: Record<string, string>) =>
      send({ origin, path, method: 'GET', headers, isJudged, timeoutMs });
    let answer = await ask(list?.headers ?? NO_HEADERS);
    if (answer.status >= 400 && list?.refused?.(answer.status, answer.headers)) {
      list = await provider.listModels(number);
      secrets = list?.secrets ?? null;
      answer = await ask(list?.headers ?? NO_HEADERS);
    }
    // Without a list to request, any answer shows that the server is there.
    if (list === null) return report(answer.status, null, null);
    // Without a credential nothing is listed; that it is asked for shows that the provider is there.
    if (provider.isOwnOnly && ASKS_FOR_CREDENTIAL.has(answer.status)) return report(answer.status, null, null);
    const models = answer.status === 200 ? readModels(answer.body, leaksCredential) : null;
    if (echoed) parts.onEcho?.(provider.name);
    return report(answer.status, models, explainStatus(answer.status, models, path));
  } catch (error) {
    const late = clock.monotonic() - startedMs >= timeoutMs;
    return report(null, null, late ? 'The provider did not respond in time.' : explainFailure(error));
  }
}

const ASKS_FOR_CREDENTIAL: ReadonlySet<number> = new Set([401, 403]);

function explainStatus(status: number, models: Models | null, path: string): string | null {
  if (status === 200)
    return models === null ? `The answer at ${path} is not a list of models; check the origin.` : null;
  if (ASKS_FOR_CREDENTIAL.has(status)) return 'The provider rejected the credential; check it.';
  if (status === 404 || status === 405) return `There is nothing at ${path}; check the origin and its base path.`;
  if (status >= 300 && status < 400)
    return 'The provider redirects, and redirects are not followed; set the final URL as origin.';
  if (status === 429) return 'The provider is rate limiting requests; the credential may still be valid.';
  return `The provider returned status ${status}.`;
}

/** Why there was no connection, in a sentence; `code` as Node names it. */
export function explainConnectionError(code: string): string {
  return FAILURES[code] ?? `The provider could not be reached (${code}).`;
}

/** https://nodejs.org/api/errors.html#common-system-errors; undici's own codes begin with UND_ERR. */
const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused.',
  ENOTFOUND: 'DNS lookup failed: the host name does not exist.',
  EAI_AGAIN: 'DNS lookup failed; check the network.',
  ENETUNREACH: 'Network unreachable.',
  EHOSTUNREACH: 'Host unreachable.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  ETIMEDOUT: 'The provider did not respond in time.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'The certificate is self-signed; add its authority to upstream.caFile or NODE_EXTRA_CA_CERTS.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'The certificate chain is self-signed; add its authority to upstream.caFile or NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate authority is unknown; add it to upstream.caFile or NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate authority is unknown; add it to upstream.caFile or NODE_EXTRA_CA_CERTS.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
};

function explainFailure(error: unknown): string {
  // A signature that failed: its message names the service that it asked.
  if (error instanceof GatewayError) return error.message;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // It names the proxy, and never its credential.
    if (cause instanceof ProxyFailure) return cause.message;
    if (cause instanceof EgressRefused) return `The address is refused: ${cause.message}`;
    if (cause instanceof AnswerTooLarge)
      return `The response is larger than ${cause.bytesMax} bytes, too large for a list of models; check the origin.`;
    const code = (cause as NodeJS.ErrnoException).code ?? cause.name;
    const known = FAILURES[code];
    if (known !== undefined) return known;
    if (code.startsWith('HPE_')) return 'The response is not HTTP; check the scheme and port of the origin.';
    if (cause.cause === undefined && code !== 'Error') return `The provider could not be reached (${code}).`;
  }
  return 'The provider could not be reached.';
}

interface Models {
  readonly count: number;
  readonly names: readonly string[];
}

const NAMES_MAX = 500;
const NAME_LENGTH_MAX = 200;
/** A name is displayed and sent as it is: no blanks, control characters or bidirectional marks. */
const NAME = /^[\x21-\x7e]+$/;

/** Vertex lists whole paths. */
const PUBLISHER = /^publishers\/[a-z0-9-]+\/models\//;

/**
 * OpenAI and Anthropic list under `data`, Google's own APIs, Bedrock and Deepgram under names of their own; for Together, GitHub and ElevenLabs the
 * answer is the list.
 * Null if it is not a list.
 */
function readModels(body: Buffer, leaksCredential: (name: string) => boolean): Models | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString('utf8'));
  } catch {
    // Not JSON: the caller reports that it is not a list.
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { data, models, publisherModels, modelSummaries, stt } = parsed as Readonly<Record<string, unknown>>;
  const list: unknown = Array.isArray(parsed) ? parsed : (data ?? models ?? publisherModels ?? modelSummaries ?? stt);
  if (!Array.isArray(list)) return null;
  const names: string[] = [];
  for (const entry of list as readonly unknown[]) {
    const name = nameOf(entry);
    if (name === null || leaksCredential(name)) continue;
    names.push(name);
    if (names.length === NAMES_MAX) break;
  }
  return { count: list.length, names };
}

function nameOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { id, name, modelId, model_id, canonical_name } = entry as Readonly<Record<string, unknown>>;
  const found =
    id ?? modelId ?? model_id ?? canonical_name ?? (typeof name === 'string' ? name.replace(PUBLISHER, '') : name);
  return typeof found === 'string' && found.length <= NAME_LENGTH_MAX && NAME.test(found) ? found : null;
}
