/**
 * Outbound HTTP: undici connections, by origin. No redirects, no compression, and no timer except the connect timeout; other
 * time limits are the caller's (see `gateway/watch.ts`).
 *
 * `Client.dispatch` with a handler is the cheapest API of undici; `fetch` costs several times
 * as much. https://undici.nodejs.org/#/docs/api/Dispatcher
 */
import type { Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { buildConnector, type Dispatcher } from 'undici';
import { type Body, bodyLength, isStreamed, type StreamedBody } from '../core/body.ts';
import type { Clock } from '../core/clock.ts';
import type { AnswerFlow, AnswerHead, AnswerHeaders, AnswerSink } from './answer-sink.ts';
import { AnswerTooLarge, BodyCollector } from './body-collector.ts';
import { Connections, type ConnectionsParts, type RequestHandler, type ReusedConnection } from './connections.ts';
import { CountedSink } from './counted-sink.ts';
import { EgressPolicy, PUBLIC_ONLY } from './egress-policy.ts';
import { isReset } from './is-reset.ts';
import { judgedConnector, type Resolve, refusingConnector, resolveBySystem } from './judged-connector.ts';
import { NO_PROXIES, type Proxies, type ProxyAddress } from './proxies.ts';
import { forwardConnector, type Pending, tunnelConnector } from './proxy-connectors.ts';
import { ProxyFailure } from './proxy-failure.ts';
import { READING } from './reading.ts';
import { sendInSlices, TURN_BYTES } from './send-in-slices.ts';

export interface UpstreamRequest {
  readonly origin: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Body | StreamedBody | null;
  /** Set if a member of an account chose the origin: its address passes the egress policy, or nothing is sent. */
  readonly isJudged?: boolean;
  /** Set if it is to be sent on a connection that no request has used. */
  readonly onNewConnection?: boolean;
}

/** Called if there was no answer. `wasStale`: the connection was kept from an earlier request, and closed as this one was sent. */
export type NoAnswer = (error: unknown, wasStale: boolean) => void;

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly connectMs: number;
  /** How long an idle connection is kept when the provider does not say. */
  readonly keepAliveMs?: number;
  /** The proxy for each origin; none when absent. */
  readonly proxies?: Proxies;
  /** The trusted certificate authorities; Node's own when absent. */
  readonly secureContext?: SecureContext | null;
  /** For judged requests; public addresses over https when absent. */
  readonly egress?: EgressPolicy;
  /** How hosts of judged requests are resolved; by the system when absent. */
  readonly resolve?: Resolve;
}

const ACCEPT_IDENTITY = 'identity';
const KEEP_ALIVE_MS = 4_000;
/** A connection that its peer has closed is reset within a round trip; a peer that takes longer has read the request. */
const STALE_MS_MAX = 1_000;
/** Interim answers (103 Early Hints) that are skipped before the request fails. */
const INTERIM_ANSWERS_MAX = 16;
/** Members may set any number of origins over time: those without an open connection are forgotten above this. */
const JUDGED_ORIGINS_KEPT = 200;

export class UpstreamClient {
  readonly #connections = new Map<string, Connections>();
  /** Apart from those of the operator's providers, which may be to addresses that are refused here. */
  readonly #judged = new Map<string, Connections>();
  /** Connections to dropped origins; each is removed when its last exchange has ended. */
  readonly #closing = new Set<Connections>();
  readonly #options: UpstreamOptions;
  /** Tunnels being opened. */
  readonly #pending = new Set<Pending>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /**
   * Sends a request. Calls `onHead` with the answer's head, or `onFailure` if there was none: exactly one of them, once,
   * unless the returned flow was aborted first (then neither).
   */
  send(request: UpstreamRequest, onHead: AnswerHead, onFailure: NoAnswer): AnswerFlow {
    const to = request.isJudged === true ? this.#toJudged(request.origin) : this.#to(request.origin);
    const exchange = new Exchange(
      to.forward === null ? onHead : throughProxy(to.forward, onHead, onFailure),
      onFailure,
      this.#options.clock,
    );
    request.headers['accept-encoding'] = ACCEPT_IDENTITY;
    const path = to.forward === null ? request.path : absoluteAddress(request, to.forward);
    const { method, headers, onNewConnection } = request;
    to.dispatch({ path, method, headers, body: outgoing(request) }, exchange, onNewConnection);
    return exchange;
  }

  /**
   * A small request whose whole answer is wanted: model lists, connection tests. Rejects on timeout. `grown` is called with the bytes that have
   * arrived; what it throws ends the request. It is sent once more if the connection turns out to be closed: it costs nothing, and creates
   * nothing.
   */
  request(request: UpstreamRequest, limits: { timeoutMs: number; bytesMax: number; grown?: (bytes: number) => void }) {
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
      const onHead: AnswerHead = (status, headers) => {
        const collector = new BodyCollector(limits.bytesMax, {
          whole: (body) => settle(() => resolve({ status, headers, body })),
          tooLarge: () => giveUp(new AnswerTooLarge(limits.bytesMax)),
          broken: giveUp,
        });
        return limits.grown === undefined ? collector : new CountedSink(collector, limits.grown);
      };
      flow = this.send(request, onHead, (error, wasStale) => {
        if (!wasStale) return giveUp(error);
        flow = this.send({ ...request, onNewConnection: true }, onHead, giveUp);
      });
    });
  }

  /** Open connections, by origin: for metrics. */
  connections(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#connections, ([origin, { open }]) => [origin, open]));
  }

  /** Closes every connection; running exchanges are cut off. */
  async close(): Promise<void> {
    const all = [...this.#connections.values(), ...this.#judged.values(), ...this.#closing];
    this.#connections.clear();
    this.#judged.clear();
    for (const tunnel of this.#pending) tunnel.destroy(new Error('the client was closed'));
    await Promise.all(all.map((connections) => connections.destroy()));
  }

  /**
   * Closes the connections to every other origin once their exchanges have ended. A later request to such an origin opens a
   * new connection.
   */
  keepOnly(origins: ReadonlySet<string>): void {
    for (const [origin, connections] of this.#connections) {
      if (origins.has(origin)) continue;
      this.#connections.delete(origin);
      this.#closing.add(connections);
      const forget = () => this.#closing.delete(connections);
      // It only rejects if they are destroyed in the meantime.
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

  #toJudged(origin: string): Connections {
    const known = this.#judged.get(origin);
    if (known !== undefined) return known;
    if (this.#judged.size >= JUDGED_ORIGINS_KEPT)
      for (const [other, connections] of this.#judged)
        if (connections.isUnused) {
          this.#judged.delete(other);
          void connections.close();
        }
    const keepAliveMs = this.#options.keepAliveMs ?? KEEP_ALIVE_MS;
    const connections = new Connections({ ...this.#judgedWay(origin), keepAliveMs });
    this.#judged.set(origin, connections);
    return connections;
  }

  /** Through a proxy, the tunnel leads to the judged address, so the proxy resolves nothing. */
  #judgedWay(origin: string): Pick<ConnectionsParts, 'origin' | 'connector' | 'forward'> {
    const {
      proxies = NO_PROXIES,
      egress: policy = new EgressPolicy(PUBLIC_ONLY),
      resolve = resolveBySystem,
    } = this.#options;
    if (proxies.of(origin) !== null && origin.startsWith('http:'))
      return { origin, connector: refusingConnector, forward: null };
    const { connector: inner } = this.#way(origin);
    return { origin, connector: judgedConnector({ policy, resolve, inner }), forward: null };
  }

  /** Where connections are opened to, and how. */
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

/**
 * The request target in absolute form, as a proxy expects it; adds the proxy's credential:
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
function absoluteAddress({ origin, path, headers }: UpstreamRequest, { authorization }: ProxyAddress): string {
  headers['host'] = new URL(origin).host;
  if (authorization !== null) headers['proxy-authorization'] = authorization;
  return origin + path;
}

/** A 407 concerns the proxy's own credential; it is not the provider's answer. */
function throughProxy(proxy: ProxyAddress, onHead: AnswerHead, onFailure: NoAnswer): AnswerHead {
  return (status, headers, flow) => {
    if (status !== 407) return onHead(status, headers, flow);
    flow.abort();
    onFailure(ProxyFailure.refused(proxy, status), false);
    return NOTHING;
  };
}

const NOTHING: AnswerSink = { chunk: () => undefined, end: () => undefined, fail: () => undefined };

/** The answer is not one that this client accepts. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** The body as undici takes it. A body in pieces needs its length set, or it is sent chunked. */
function outgoing({ headers, body }: UpstreamRequest): Buffer | Readable | null {
  if (body !== null && isStreamed(body)) {
    if (body.length !== null) headers['content-length'] = String(body.length);
    return body.open();
  }
  if (body === null || (Buffer.isBuffer(body) && body.length <= TURN_BYTES)) return body;
  headers['content-length'] = String(bodyLength(body));
  return sendInSlices(body);
}

/** One request and its answer; the method names are undici's. */
class Exchange implements RequestHandler, AnswerFlow {
  readonly #onHead: AnswerHead;
  readonly #onFailure: NoAnswer;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #startedAt: number;
  reused: ReusedConnection | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: AnswerSink | null = null;
  #aborted = false;
  #sent = false;
  #refused = false;
  #interimAnswers = 0;

  constructor(onHead: AnswerHead, onFailure: NoAnswer, clock: Pick<Clock, 'monotonic'>) {
    this.#onHead = onHead;
    this.#onFailure = onFailure;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
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
    // Aborted while it waited for a connection: nothing is sent.
    if (this.#aborted) controller.abort(new Error('given up by the gateway'));
    else this.#sent = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // These are views of the buffer that the head was read into, and would keep it in memory for the whole answer.
    controller.rawHeaders = null;
    if (this.#aborted) return;
    if (status >= 200) {
      this.#sink = this.#onHead(status, headers, this);
    } else {
      this.#interimAnswers += 1;
      if (this.#interimAnswers <= INTERIM_ANSWERS_MAX) return;
      this.abort();
      this.#onFailure(new UnusableAnswer(`more than ${INTERIM_ANSWERS_MAX} interim answers`), false);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#aborted) this.#sink?.chunk(chunk);
  }

  onResponseEnd(): void {
    if (!this.#aborted) this.#sink?.end();
  }

  /** Without a controller, the request was refused before it was sent. */
  onResponseError(controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#refused = controller === null;
    if (this.#aborted) return;
    if (this.#sink === null) this.#onFailure(error, this.#isStale(error));
    else this.#sink.fail(error);
  }

  #isStale(error: Error): boolean {
    const { reused } = this;
    if (reused === null || !reused.isSilent || !isReset(error)) return false;
    return this.#clock.monotonic() - this.#startedAt <= STALE_MS_MAX;
  }
}
