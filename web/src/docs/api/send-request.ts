/** Sends a request to this origin only, and reports the answer as it arrives. */
import type { TryRequest } from './try-request.ts';

export interface TryAnswer {
  readonly status: number;
  /** Only the useful ones. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly type: string;
  readonly text: string;
  /** The answer was longer than what is shown. */
  readonly isCut: boolean;
  readonly isOver: boolean;
  readonly milliseconds: number;
}

/** A longer text would make the page slow. */
const SHOWN_MAX = 200_000;
const SHOWN_HEADERS =
  /^(?:x-request-id|request-id|x-generation-id|x-turnpike-.+|x-ratelimit-.+|retry-after|content-type|www-authenticate|allow)$/;

/** Rejects if there is no answer or it is cut off; with `AbortError` if `signal` aborts. */
export async function sendRequest(
  { url, method, headers, body }: TryRequest,
  signal: AbortSignal,
  show: (answer: TryAnswer) => void,
): Promise<void> {
  const address = new URL(url, window.location.href);
  if (address.origin !== window.location.origin) throw new Error('Requests are sent to this gateway only.');
  const start = performance.now();
  const response = await fetch(address, {
    method,
    headers,
    body,
    signal,
    // Only the key authenticates the request: no session cookie is sent, and nothing is cached.
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
  const answer = {
    status: response.status,
    headers: [...response.headers].filter(([name]) => SHOWN_HEADERS.test(name)),
    type: response.headers.get('content-type') ?? '',
  };
  const decoder = new TextDecoder();
  // It is no text: how much there is of it is all that can be shown.
  const isSound = answer.type.startsWith('audio/');
  let bytes = 0;
  let text = '';
  let isCut = false;
  const report = (isOver: boolean): void =>
    show({ ...answer, text, isCut, isOver, milliseconds: performance.now() - start });
  report(false);
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.length;
    if (isSound) text = `[${answer.type}, ${bytes} bytes]`;
    else if (!isCut) text += decoder.decode(chunk, { stream: true });
    if (text.length > SHOWN_MAX) {
      text = text.slice(0, SHOWN_MAX);
      isCut = true;
    }
    report(false);
  }
  report(true);
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
