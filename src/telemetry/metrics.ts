/** The metrics at `/metrics`, in Prometheus' text format. Of callers they contain only counts: no key, no prompt. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Registry } from 'prom-client';
import { type BatchFigures, batchGauges } from './batch-gauges.ts';
import { CallTallies, type FinishedCall, WordCounts } from './call-tallies.ts';
import { type Family, type Sample, writeFamily } from './exposition.ts';
import { type NodeFigures, nodeGauges } from './node-gauges.ts';
import { collectProcessMetrics } from './process-metrics.ts';
import { type TargetFigures, targetGauges } from './target-gauges.ts';

export interface MetricSources {
  readonly running: {
    readonly count: number;
    readonly max: number;
    /** Those whose request is still arriving. */
    readonly arriving: number;
    /** Calls that wait for a place; they do not run yet. */
    readonly waiting: number;
    /** Calls that were shed, by what was lacking, and the part of calls that is admitted now. */
    readonly load: {
      readonly view: {
        readonly admittedPart: number;
        /** 0 to 1. */
        readonly memoryUse: number;
        readonly shed: ReadonlyMap<string, number>;
      };
    };
  };
  /** Of callers. */
  readonly connections: { readonly open: number; readonly max: number; readonly refused: number };
  readonly upstream: { connections(): ReadonlyMap<string, number> };
  /** For bodies; bytes. */
  readonly memory: { readonly used: number; readonly bytesMax: number };
  /** Bytes. */
  readonly responseCache: { readonly bytes: number; readonly recordingBytes: number; readonly bytesMax: number };
}

/**
 * Events of every call are counted here in plain numbers: prom-client looks up labels
 * each time, which costs more than the rest of counting. Gauges, which are read on a scrape, use prom-client.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = new CallTallies();
  /** By dialect. */
  readonly #errors = new Map<string, WordCounts>();
  readonly #alerts = new WordCounts();
  /** Lines of batches that were called, by what came of it. */
  readonly #batchLines = new WordCounts();
  /** Of the calls that asked for the response cache, by what it did. */
  readonly #cached = new WordCounts();
  /** By provider. */
  readonly #providerAlerts = new Map<string, WordCounts>();
  readonly #loopDelay: ReturnType<typeof monitorEventLoopDelay>;
  #readBatches: () => BatchFigures = () => NO_BATCHES;
  #readTargets: () => Iterable<TargetFigures> = () => [];
  readonly #sources: MetricSources;

  constructor(sources: MetricSources) {
    this.#sources = sources;
    // Sampled per turn, not on a timer: an idle event loop is not woken just to measure it.
    this.#loopDelay = monitorEventLoopDelay({ samplePerIteration: true });
    this.#loopDelay.enable();
    collectProcessMetrics(this.#registry);
    gauges(sources, this.#loopDelay, [this.#registry]);
    targetGauges(() => this.#readTargets(), [this.#registry]);
    batchGauges(() => this.#readBatches(), OPEN_STATUSES, [this.#registry]);
  }

  /** `read` is called on each scrape, and returns the models that were called, at each provider. */
  showTargets(read: () => Iterable<TargetFigures>): void {
    this.#readTargets = read;
  }

  /** `read` is called on each scrape. */
  showBatches(read: () => BatchFigures): void {
    this.#readBatches = read;
  }

  /** A line of a batch was called: it has its result, or is called again. */
  batchLine(result: 'completed' | 'failed' | 'again'): void {
    this.#batchLines.add(result, 1);
  }

  /** For one of several nodes; call it once. `read` is called on each scrape. */
  showNode(read: () => NodeFigures): void {
    nodeGauges(read, [this.#registry]);
  }

  callFinished(call: FinishedCall): void {
    this.#calls.add(call);
  }

  /** A request answered with one of our errors, admitted or not. */
  errorAnswered(dialect: string, code: string): void {
    let codes = this.#errors.get(dialect);
    if (codes === undefined) {
      codes = new WordCounts();
      this.#errors.set(dialect, codes);
    }
    codes.add(code, 1);
  }

  /** A call that asked for the response cache was answered. */
  cacheAsked(outcome: 'hit' | 'miss'): void {
    this.#cached.add(outcome, 1);
  }

  alert(kind: string): void {
    this.#alerts.add(kind, 1);
  }

  /** An alert about a provider of this installation: operators configure these, so there are few. */
  providerAlert(kind: string, provider: string): void {
    let kinds = this.#providerAlerts.get(provider);
    if (kinds === undefined) {
      kinds = new WordCounts();
      this.#providerAlerts.set(provider, kinds);
    }
    kinds.add(kind, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    return [...this.#families().map(writeFamily), await this.#registry.metrics()].join('\n\n');
  }

  close(): void {
    this.#loopDelay.disable();
  }

  #families(): Family[] {
    return [
      {
        name: 'turnpike_calls_total',
        help: 'Admitted calls, by how they ended.',
        type: 'counter',
        samples: this.#calls.calls(),
      },
      {
        name: 'turnpike_errors_total',
        help: 'Requests answered with an error, by error code.',
        type: 'counter',
        samples: [...this.#errors].flatMap(([dialect, codes]) => countSamples(codes, (code) => ({ dialect, code }))),
      },
      {
        name: 'turnpike_shed_total',
        help: 'Calls refused because the gateway had too much to do, by what was lacking.',
        type: 'counter',
        samples: [...this.#sources.running.load.view.shed].map(([shortage, value]) => ({
          suffix: '',
          labels: { shortage },
          value,
        })),
      },
      {
        name: 'turnpike_connections_refused_total',
        help: 'Connections closed right after they were opened, because descriptors were short.',
        type: 'counter',
        samples: [{ suffix: '', labels: {}, value: this.#sources.connections.refused }],
      },
      {
        name: 'turnpike_call_duration_seconds',
        help: 'From the request to the last byte of the answer.',
        type: 'histogram',
        samples: this.#calls.duration(),
      },
      {
        name: 'turnpike_first_byte_seconds',
        help: "From the request to the provider's first byte.",
        type: 'histogram',
        samples: this.#calls.firstByte(),
      },
      {
        name: 'turnpike_tokens_total',
        help: 'Input and output tokens.',
        type: 'counter',
        samples: this.#calls.tokens(),
      },
      {
        name: 'turnpike_cost_usd_total',
        help: 'Cost of calls at list price, USD.',
        type: 'counter',
        samples: this.#calls.cost(),
      },
      {
        name: 'turnpike_response_cache_total',
        help: 'Calls that asked for the response cache, by whether it answered them.',
        type: 'counter',
        samples: countSamples(this.#cached, (outcome) => ({ outcome })),
      },
      {
        name: 'turnpike_batch_lines_total',
        help: 'Lines of batches that were called, by what came of it: `completed`, `failed`, or `again` if it has to be called again.',
        type: 'counter',
        samples: countSamples(this.#batchLines, (result) => ({ result })),
      },
      {
        name: 'turnpike_alerts_total',
        help: 'Events that need the attention of an operator, by kind.',
        type: 'counter',
        samples: [
          ...countSamples(this.#alerts, (kind) => ({ kind })),
          ...[...this.#providerAlerts].flatMap(([provider, kinds]) =>
            countSamples(kinds, (kind) => ({ kind, provider })),
          ),
        ],
      },
    ];
  }
}

/** Of batches that have not ended. */
const OPEN_STATUSES = ['validating', 'in_progress', 'finalizing', 'cancelling'];
const NO_BATCHES: BatchFigures = { open: new Map(), running: 0, waiting: 0 };

function countSamples(counts: WordCounts, labelsOf: (word: string) => Sample['labels']): Sample[] {
  return counts.entries().map(([word, value]) => ({ suffix: '', labels: labelsOf(word), value }));
}

/** Gauges of one number, by name: what they show, and where it is read. */
const SINGLE: Readonly<Record<string, readonly [help: string, read: (sources: MetricSources) => number]>> = {
  calls_running: ['Calls in progress.', ({ running }) => running.count],
  calls_running_limit: ['Limit of calls in progress: `limits.inFlightMax`.', ({ running }) => running.max],
  calls_arriving: ['Calls in progress whose request is still arriving.', ({ running }) => running.arriving],
  calls_waiting: ['Calls that wait a moment for a place.', ({ running }) => running.waiting],
  calls_admitted_ratio: [
    'Part of new calls that is let in: below 1 if the event loop is late, or memory or descriptors are short.',
    ({ running }) => running.load.view.admittedPart,
  ],
  memory_used_ratio: [
    'Part of the memory that is used: of the heap or of the resident memory, whichever is nearer to its limit.',
    ({ running }) => running.load.view.memoryUse,
  ],
  connections: ['Open connections of callers.', ({ connections }) => connections.open],
  connections_limit: [
    'How many may be open before calls are refused; `+Inf` if the number of descriptors is unknown.',
    ({ connections }) => connections.max,
  ],
  body_memory_bytes: ['Memory used by the larger bodies of running calls.', ({ memory }) => memory.used],
  body_memory_limit_bytes: ['Limit of that memory: `limits.memoryBytes`.', ({ memory }) => memory.bytesMax],
  response_cache_bytes: ['Memory used by answers in the response cache.', ({ responseCache }) => responseCache.bytes],
  response_cache_recording_bytes: [
    'Memory used by answers that are being recorded for it.',
    ({ responseCache }) => responseCache.recordingBytes,
  ],
  response_cache_limit_bytes: [
    'Limit of the memory for answers: `responseCache.bytesMax`.',
    ({ responseCache }) => responseCache.bytesMax,
  ],
};

/** Read on each scrape. */
function gauges(
  sources: MetricSources,
  loopDelay: ReturnType<typeof monitorEventLoopDelay>,
  registers: Registry[],
): void {
  for (const [name, [help, read]] of Object.entries(SINGLE)) {
    new Gauge({
      name: `turnpike_${name}`,
      help,
      registers,
      collect() {
        this.set(read(sources));
      },
    });
  }
  new Gauge({
    name: 'turnpike_upstream_connections',
    help: 'Open connections, by origin.',
    labelNames: ['origin'],
    registers,
    collect() {
      this.reset();
      for (const [origin, count] of sources.upstream.connections()) this.set({ origin }, count);
    },
  });
  new Gauge({
    name: 'turnpike_loop_delay_seconds',
    help: 'Duration of event loop turns since the last scrape, without idle time; nothing else runs during a turn.',
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
