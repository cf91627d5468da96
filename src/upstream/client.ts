/**
 * Outbound HTTP: connections of undici's, by origin, no redirects, no compression, no timers of its own
 * but the connect limit; whoever waits for an answer keeps the time (see `gateway/watch.ts`).
 *
 * `Client.dispatch` with a handler is the cheapest way through undici; `fetch` costs several times
 * as much. https://undici.nodejs.org/#/docs/api/Dispatcher
 */
import type { Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { buildConnector, type Dispatcher } from 'undici';
import { type Body, bodyLength } from '../core/body.ts';
import type { Clock } from '../core/clock.ts';
import type { AnswerFlow, AnswerHead, AnswerHeaders, AnswerSink } from './answer-sink.ts';
import { AnswerTooLarge, BodyCollector } from './body-collector.ts';
import { Connections, type ConnectionsParts, type RequestHandler } from './connections.ts';
import { NO_PROXIES, type Proxies, type ProxyAddress } from './proxies.ts';
import { forwardConnector, type Pending, tunnelConnector } from './proxy-connectors.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { READING } from './reading.ts';
import { sendInSlices, TURN_BYTES } from './send-in-slices.ts';

export interface UpstreamRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Body | null;
}

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly connectMs: number;
  /** How long an idle connection is kept when the provider does not say. */
  readonly keepAliveMs?: number;
  /** Through which proxy each origin is reached; none when absent. */
  readonly proxies?: Proxies;
  /** Whom servers may be certified by; as Node by itself when absent. */
  readonly secureContext?: SecureContext | null;
}

const ACCEPT_IDENTITY = 'identity';
const KEEP_ALIVE_MS = 4_000;
/** Interim answers (103 Early Hints) that are read over before the provider is given up. */
const INTERIM_ANSWERS_MAX = 16;

export class UpstreamClient {
  readonly #connections = new Map<string, Connections>();
  /** Of origins that nobody calls any more; they go when their last exchange has ended. */
  readonly #closing = new Set<Connections>();
  readonly #options: UpstreamOptions;
  /** Tunnels on their way. */
  readonly #pending = new Set<Pending>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. `onHead` is called with the answer's head, or `onFailure` when there was
   * none: exactly one of them, once, unless the returned flow was aborted first (then neither).
   */
  send(request: UpstreamRequest, onHead: AnswerHead, onFailure: (error: unknown) => void): AnswerFlow {
    const to = this.#to(request.origin);
    const exchange = new Exchange(to.forward === null ? onHead : behindProxy(to.forward, onHead, onFailure), onFailure);
    request.headers['accept-encoding'] = ACCEPT_IDENTITY;
    const path = to.forward === null ? request.path : wholeAddress(request, to.forward);
    to.dispatch({ path, method: request.method, headers: request.headers, body: outgoing(request) }, exchange);
    return exchange;
  }

  /** A small request whose whole answer is wanted: model lists, connection tests. Rejects on timeout. */
  request(request: UpstreamRequest, limits: { timeoutMs: number; bytesMax: number }) {
    return new Promise<{ status: number; headers: AnswerHeaders; body: Buffer }>((resolve, reject) => {
      let flow: AnswerFlow | null = null;
      const settle = (outcome: () => void) => {
        timer.cancel();
        outcome();
      };
      const giveUp = (error: unknown) => {
        flow?.abort();
        settle(() => reject(error));
      };
      const timer = this.#options.clock.after(limits.timeoutMs, () =>
        giveUp(new Error(`no answer within ${limits.timeoutMs} ms`)),
      );
      flow = this.send(
        request,
        (status, headers) =>
          new BodyCollector(limits.bytesMax, {
            whole: (body) => settle(() => resolve({ status, headers, body })),
            tooLarge: () => giveUp(new AnswerTooLarge(limits.bytesMax)),
            broken: giveUp,
          }),
        giveUp,
      );
    });
  }

  /** Open connections, by origin: for metrics. */
  connections(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#connections, ([origin, { open }]) => [origin, open]));
  }

  /** Closes every connection; running exchanges are cut. */
  async close(): Promise<void> {
    const all = [...this.#connections.values(), ...this.#closing];
    this.#connections.clear();
    for (const tunnel of this.#pending) tunnel.destroy(new Error('the client was closed'));
    await Promise.all(all.map((connections) => connections.destroy()));
  }

  /**
   * Lets go of the connections to every other origin; exchanges that run there end by themselves, and whoever still
   * sends there gets a connection of its own.
   */
  keepOnly(origins: ReadonlySet<string>): void {
    for (const [origin, connections] of this.#connections) {
      if (origins.has(origin)) continue;
      this.#connections.delete(origin);
      this.#closing.add(connections);
      const forget = () => this.#closing.delete(connections);
      // It only fails when they are destroyed meanwhile.
      connections.close().then(forget, forget);
    }
  }

  #to(origin: string): Connections {
    let connections = this.#connections.get(origin);
    if (connections === undefined) {
      connections = new Connections({
        ...this.#way(origin),
        keepAliveMs: this.#options.keepAliveMs ?? KEEP_ALIVE_MS,
      });
      this.#connections.set(origin, connections);
    }
    return connections;
  }

  /** Whom connections are opened to, and how. */
  #way(origin: string): Pick<ConnectionsParts, 'origin' | 'connector' | 'forward'> {
    const { clock, connectMs, proxies = NO_PROXIES, secureContext = null } = this.#options;
    const trusted = secureContext === null ? {} : { secureContext };
    const connector = buildConnector({ timeout: connectMs, allowH2: false, ...READING, ...trusted });
    const proxy = proxies.of(origin);
    if (proxy === null) return { origin, connector, forward: null };
    if (origin.startsWith('http:'))
      return { origin: proxy.origin, connector: forwardConnector(proxy, connector), forward: proxy };
    const pending = this.#pending;
    const tunnel = tunnelConnector({ proxy, inner: connector, clock, connectMs, secureContext, pending });
    return { origin, connector: tunnel, forward: null };
  }
}

/** As a proxy wants it, with what it asks of its users: https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
function wholeAddress({ origin, path, headers }: UpstreamRequest, { authorization }: ProxyAddress): string {
  headers['host'] = new URL(origin).host;
  if (authorization !== null) headers['proxy-authorization'] = authorization;
  return origin + path;
}

/** A 407 speaks of the proxy's own users: no provider said it. */
function behindProxy(proxy: ProxyAddress, onHead: AnswerHead, onFailure: (error: unknown) => void): AnswerHead {
  return (status, headers, flow) => {
    if (status !== 407) return onHead(status, headers, flow);
    flow.abort();
    onFailure(ProxyFailure.refused(proxy, status));
    return NOTHING;
  };
}

const NOTHING: AnswerSink = { chunk: () => undefined, end: () => undefined, fail: () => undefined };

/** What came was no HTTP answer that this client takes. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** The body as undici takes it; of one that comes in pieces the length must be told, or it would go out chunked. */
function outgoing({ headers, body }: UpstreamRequest): Buffer | Readable | null {
  if (body === null || (Buffer.isBuffer(body) && body.length <= TURN_BYTES)) return body;
  headers['content-length'] = String(bodyLength(body));
  return sendInSlices(body);
}

/** One request's way through undici; the names of its methods are undici's. */
class Exchange implements RequestHandler, AnswerFlow {
  readonly #onHead: AnswerHead;
  readonly #onFailure: (error: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: AnswerSink | null = null;
  #aborted = false;
  #sent = false;
  #refused = false;
  #interimAnswers = 0;

  constructor(onHead: AnswerHead, onFailure: (error: unknown) => void) {
    this.#onHead = onHead;
    this.#onFailure = onFailure;
  }

  get sent(): boolean {
    return this.#sent;
  }

  get wasRefused(): boolean {
    return this.#refused;
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    if (!this.#aborted) this.#controller?.resume();
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#controller?.abort(new Error('given up by the gateway'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection: nothing is sent.
    if (this.#aborted) controller.abort(new Error('given up by the gateway'));
    else this.#sent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Views of what was read with the head: kept, they would keep all of it as long as the answer runs.
    controller.rawHeaders = null;
    if (this.#aborted) return;
    if (status >= 200) {
      this.#sink = this.#onHead(status, headers, this);
    } else {
      this.#interimAnswers += 1;
      if (this.#interimAnswers <= INTERIM_ANSWERS_MAX) return;
      this.abort();
      this.#onFailure(new UnusableAnswer(`more than ${INTERIM_ANSWERS_MAX} interim answers`));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#aborted) this.#sink?.chunk(chunk);
  }

  onResponseEnd(): void {
    if (!this.#aborted) this.#sink?.end();
  }

  /** Without a controller the request was not even taken. */
  onResponseError(controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#refused = controller === null;
    if (this.#aborted) return;
    if (this.#sink === null) this.#onFailure(error);
    else this.#sink.fail(error);
  }
}
