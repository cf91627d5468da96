/** What `/metrics` shows, in Prometheus' text format. Nothing of a caller but counts: no key, no prompt. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface FinishedCall {
  readonly dialect: string;
  readonly provider: string;
  readonly model: string;
  readonly ending: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  readonly firstByteMs: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** USD; a float is fine here, this is no ledger. */
  readonly costUsd: number;
}

const LATENCY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const LOOP_DELAY_RESOLUTION_MS = 10;

export class Metrics {
  readonly #registry = new Registry();
  readonly #children = new Map<string, CallSeries>();
  readonly #calls: Counter<'dialect' | 'provider' | 'model' | 'ending'>;
  readonly #errors: Counter<'dialect' | 'code'>;
  readonly #duration: Histogram<'dialect' | 'provider' | 'model'>;
  readonly #firstByte: Histogram<'dialect' | 'provider' | 'model'>;
  readonly #tokens: Counter<'direction' | 'provider' | 'model'>;
  readonly #cost: Counter<'provider' | 'model'>;
  readonly #alerts: Counter<'kind'>;
  readonly #loopDelay: ReturnType<typeof monitorEventLoopDelay>;

  constructor(sources: {
    readonly running: () => number;
    readonly upstreamConnections: () => ReadonlyMap<string, number>;
  }) {
    const registers = [this.#registry];
    const byTarget = ['dialect', 'provider', 'model'] as const;
    this.#calls = new Counter({
      name: 'turnpike_calls_total',
      help: 'Calls that were admitted, by how they ended.',
      labelNames: [...byTarget, 'ending'],
      registers,
    });
    this.#errors = new Counter({
      name: 'turnpike_errors_total',
      help: 'Requests answered with an error, by its code.',
      labelNames: ['dialect', 'code'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'turnpike_call_duration_seconds',
      help: 'From the request to the last byte of the answer.',
      labelNames: byTarget,
      buckets: LATENCY_SECONDS,
      registers,
    });
    this.#firstByte = new Histogram({
      name: 'turnpike_first_byte_seconds',
      help: "From the request to the provider's first byte.",
      labelNames: byTarget,
      buckets: LATENCY_SECONDS,
      registers,
    });
    this.#tokens = new Counter({
      name: 'turnpike_tokens_total',
      help: 'Tokens in and out.',
      labelNames: ['direction', 'provider', 'model'],
      registers,
    });
    this.#cost = new Counter({
      name: 'turnpike_cost_usd_total',
      help: 'Cost of calls at list price, USD.',
      labelNames: ['provider', 'model'],
      registers,
    });
    this.#alerts = new Counter({
      name: 'turnpike_alerts_total',
      help: 'Things an operator should look at, by kind.',
      labelNames: ['kind'],
      registers,
    });
    this.#loopDelay = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
    this.#loopDelay.enable();
    this.#collectOnScrape(sources, registers);
  }

  callFinished(call: FinishedCall): void {
    const series = this.#seriesOf(call);
    series.calls.inc();
    series.duration.observe(call.durationMs / 1000);
    if (call.firstByteMs !== null) series.firstByte.observe(call.firstByteMs / 1000);
    series.inputTokens.inc(call.inputTokens);
    series.outputTokens.inc(call.outputTokens);
    series.cost.inc(call.costUsd);
  }

  /** A request answered with an error of ours, admitted or not. */
  errorAnswered(dialect: string, code: string): void {
    this.#errors.inc({ dialect, code });
  }

  alert(kind: string): void {
    this.#alerts.inc({ kind });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  close(): void {
    this.#loopDelay.disable();
  }

  /** Label look-ups cost more than the observation, so the series of each target and ending are kept at hand. */
  #seriesOf(call: FinishedCall): CallSeries {
    const name = `${call.dialect} ${call.provider} ${call.model} ${call.ending}`;
    let series = this.#children.get(name);
    if (series === undefined) {
      const { dialect, provider, model, ending } = call;
      series = {
        calls: this.#calls.labels({ dialect, provider, model, ending }),
        duration: this.#duration.labels({ dialect, provider, model }),
        firstByte: this.#firstByte.labels({ dialect, provider, model }),
        inputTokens: this.#tokens.labels({ direction: 'input', provider, model }),
        outputTokens: this.#tokens.labels({ direction: 'output', provider, model }),
        cost: this.#cost.labels({ provider, model }),
      };
      this.#children.set(name, series);
    }
    return series;
  }

  #collectOnScrape(sources: ConstructorParameters<typeof Metrics>[0], registers: Registry[]): void {
    const loopDelay = this.#loopDelay;
    collectDefaultMetrics({ register: this.#registry, prefix: 'turnpike_' });
    new Gauge({
      name: 'turnpike_calls_running',
      help: 'Calls in progress.',
      registers,
      collect() {
        this.set(sources.running());
      },
    });
    new Gauge({
      name: 'turnpike_upstream_connections',
      help: 'Open connections, by origin.',
      labelNames: ['origin'],
      registers,
      collect() {
        this.reset();
        for (const [origin, count] of sources.upstreamConnections()) this.set({ origin }, count);
      },
    });
    new Gauge({
      name: 'turnpike_loop_delay_seconds',
      help: 'How late the event loop ran since the last scrape.',
      labelNames: ['quantile'],
      registers,
      collect() {
        this.set({ quantile: '0.5' }, loopDelay.percentile(50) / 1e9);
        this.set({ quantile: '0.99' }, loopDelay.percentile(99) / 1e9);
        this.set({ quantile: '1' }, loopDelay.max / 1e9);
        loopDelay.reset();
      },
    });
  }
}

interface CallSeries {
  readonly calls: Pick<Counter.Internal, 'inc'>;
  readonly duration: Pick<Histogram.Internal<string>, 'observe'>;
  readonly firstByte: Pick<Histogram.Internal<string>, 'observe'>;
  readonly inputTokens: Pick<Counter.Internal, 'inc'>;
  readonly outputTokens: Pick<Counter.Internal, 'inc'>;
  readonly cost: Pick<Counter.Internal, 'inc'>;
}
