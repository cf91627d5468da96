/** Calls the management API as the signed-in person. */
import { basePath } from '../navigation/base-path.ts';
import { noteAnswer, noteNoAnswer } from './connection.ts';
import { type RouteName, type Routes, routes } from './types.ts';

const BASE = `${basePath}/api/dashboard`;

/** Creations that are made once however often they are sent with one `Idempotency-Key` (`idempotent` in the contract). */
const CREATIONS: ReadonlySet<RouteName> = new Set<RouteName>([
  'createKey',
  'rotateKey',
  'createProject',
  'createInvitation',
  'createAccount',
  'createProvider',
]);

export function takesIdempotencyKey(name: RouteName): boolean {
  return CREATIONS.has(name);
}

type Given<Value> = Value extends Readonly<Record<string, never>> ? undefined : Value;
type Part<Name extends string, Value> = [Value] extends [Readonly<Record<string, never>>]
  ? { readonly [Key in Name]?: undefined }
  : Record<string, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value };

/** What a route takes: `params` of its path, `query`, `body`; those that are empty are absent. */
export type Input<Name extends RouteName> = Part<'params', Routes[Name]['params']> &
  Part<'query', Routes[Name]['query']> &
  Part<'body', Routes[Name]['body']>;
export type Answer<Name extends RouteName> = Routes[Name]['answer'];
export type Body<Name extends RouteName> = Given<Routes[Name]['body']>;

/** A refusal by the server, or that it could not be reached (`status` 0, `code` `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  /** From the table of errors: stable, for comparisons. */
  readonly code: string;
  readonly requestId: string | null;
  /** The field that is wrong: `limits.budgets.day`. */
  readonly param: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;

  constructor(fields: Pick<ApiError, 'status' | 'code' | 'message' | 'requestId' | 'param' | 'retryAfter'>) {
    super(fields.message);
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.param = fields.param;
    this.retryAfter = fields.retryAfter;
  }
}

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** For the routes that take one (`takesIdempotencyKey`). */
  readonly idempotencyKey?: string;
}

/** Throws `ApiError`; a request aborted by `signal` throws what `fetch` throws. */
export async function call<Name extends RouteName>(
  name: Name,
  input: Input<Name>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<Answer<Name>> {
  const given: AnyInput = input;
  const [method] = routes[name];
  const sendsBody = method !== 'GET' && method !== 'DELETE';
  return (await fetchJson(addressOf(name, given), {
    method,
    credentials: 'same-origin',
    headers: {
      ...(sendsBody ? { 'content-type': 'application/json' } : {}),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(sendsBody ? { body: JSON.stringify(given.body ?? {}) } : {}),
    ...(signal === undefined ? {} : { signal }),
  })) as Answer<Name>;
}

/** The JSON at an address of this installation. Throws like `call`. */
export async function fetchJson(
  address: string,
  init: RequestInit & { readonly signal?: AbortSignal },
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, { ...init, headers: { accept: 'application/json', ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteNoAnswer();
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      message: 'Cannot reach the server. Check your connection and try again.',
      requestId: null,
      param: null,
      retryAfter: null,
    });
  }
  // A proxy's answer for a stopped server is not the server's answer.
  if (response.status < 500) noteAnswer();
  if (!response.ok) throw await readError(response);
  return await response.json();
}

/** The address of a route: for downloads (`format=csv`) and streams of events, which are not read with `call`. */
export function addressOf(name: RouteName, input: AnyInput = {}): string {
  const [, path] = routes[name];
  const filled = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(String(input.params?.[param])));
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(field, String(value));
  }
  const text = query.toString();
  return `${BASE}${filled}${text === '' ? '' : `?${text}`}`;
}

async function readError(response: Response): Promise<ApiError> {
  const fields = readFields(await response.json().catch(() => null));
  const metadata = readFields(fields['metadata']);
  const inner = readFields(fields['error']);
  const innerMetadata = readFields(inner['metadata']);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const code =
    textOrNull(innerMetadata['error_type']) ?? textOrNull(inner['code']) ?? textOrNull(metadata['error_type']);
  return new ApiError({
    status: response.status,
    code: code ?? 'unknown',
    message: textOrNull(inner['message']) ?? `The server returned status ${response.status}.`,
    requestId: textOrNull(innerMetadata['request_id']) ?? response.headers.get('x-request-id'),
    param: textOrNull(inner['param']),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

function readFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
