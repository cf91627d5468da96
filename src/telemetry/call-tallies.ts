/**
 * Counts finished calls by dialect, provider and model. Counting happens on every call, so it only updates
 * numbers in place; samples are assembled on a scrape.
 */
import type { Sample } from './exposition.ts';

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
  /** USD; a float is fine here, this is not a ledger. */
  readonly costUsd: number;
}

export class CallTallies {
  /** By model; a model has few dialects and providers, so those are searched linearly. */
  readonly #byModel = new Map<string, TargetTally[]>();

  add(call: FinishedCall): void {
    const tally = this.#tallyOf(call);
    tally.calls.add(call.ending, 1);
    tally.duration.observe(call.durationMs);
    if (call.firstByteMs !== null) tally.firstByte.observe(call.firstByteMs);
    tally.totals[INPUT_TOKENS] = (tally.totals[INPUT_TOKENS] as number) + call.inputTokens;
    tally.totals[OUTPUT_TOKENS] = (tally.totals[OUTPUT_TOKENS] as number) + call.outputTokens;
    tally.totals[COST_USD] = (tally.totals[COST_USD] as number) + call.costUsd;
  }

  calls(): Sample[] {
    return this.#all().flatMap((tally) =>
      tally.calls.entries().map(([ending, value]) => sample({ ...tally.labels, ending }, value)),
    );
  }

  duration(): Sample[] {
    return this.#all().flatMap(({ duration, labels }) => duration.samples(labels));
  }

  firstByte(): Sample[] {
    return this.#all().flatMap(({ firstByte, labels }) => firstByte.samples(labels));
  }

  tokens(): Sample[] {
    const input = this.#totals(INPUT_TOKENS).map(({ labels, value }) =>
      sample({ direction: 'input', ...labels }, value),
    );
    return [
      ...input,
      ...this.#totals(OUTPUT_TOKENS).map(({ labels, value }) => sample({ direction: 'output', ...labels }, value)),
    ];
  }

  cost(): Sample[] {
    return this.#totals(COST_USD);
  }

  /** By provider and model; several dialects are one series. */
  #totals(which: number): Sample[] {
    const samples: Sample[] = [];
    for (const tallies of this.#byModel.values()) {
      const byProvider = new Map<string, number>();
      for (const { labels, totals } of tallies)
        byProvider.set(labels.provider, (byProvider.get(labels.provider) ?? 0) + (totals[which] as number));
      const model = tallies[0]?.labels.model ?? '';
      for (const [provider, value] of byProvider) samples.push(sample({ provider, model }, value));
    }
    return samples;
  }

  #all(): TargetTally[] {
    return [...this.#byModel.values()].flat();
  }

  #tallyOf({ dialect, provider, model }: FinishedCall): TargetTally {
    let tallies = this.#byModel.get(model);
    if (tallies === undefined) {
      tallies = [];
      this.#byModel.set(model, tallies);
    }
    for (const tally of tallies) {
      if (tally.labels.dialect === dialect && tally.labels.provider === provider) return tally;
    }
    const tally = new TargetTally({ dialect, provider, model });
    tallies.push(tally);
    return tally;
  }
}

/** Counts per word of a closed list. */
export class WordCounts {
  readonly #words: string[] = [];
  readonly #counts: number[] = [];

  add(word: string, count: number): void {
    const index = this.#words.indexOf(word);
    if (index >= 0) this.#counts[index] = (this.#counts[index] as number) + count;
    else {
      this.#words.push(word);
      this.#counts.push(count);
    }
  }

  entries(): [word: string, count: number][] {
    return this.#words.map((word, index) => [word, this.#counts[index] as number]);
  }
}

const INPUT_TOKENS = 0;
const OUTPUT_TOKENS = 1;
const COST_USD = 2;

class TargetTally {
  readonly labels: { readonly dialect: string; readonly provider: string; readonly model: string };
  readonly calls = new WordCounts();
  readonly duration = new LatencyHistogram();
  readonly firstByte = new LatencyHistogram();
  /** A typed array stores its numbers inline; a field would allocate an object for each new fraction. */
  readonly totals = new Float64Array(3);

  constructor(labels: TargetTally['labels']) {
    this.labels = labels;
  }
}

const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const BOUNDS_MS = Float64Array.from(BOUNDS_SECONDS, (seconds) => seconds * 1000);

class LatencyHistogram {
  /** Observations per bucket, each in one bucket only; then those above the last bound, then the sum in ms. */
  readonly #numbers = new Float64Array(BOUNDS_MS.length + 2);

  observe(milliseconds: number): void {
    const numbers = this.#numbers;
    let bucket = 0;
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] as number)) bucket += 1;
    numbers[bucket] = (numbers[bucket] as number) + 1;
    numbers[BOUNDS_MS.length + 1] = (numbers[BOUNDS_MS.length + 1] as number) + milliseconds;
  }

  /** In seconds, with cumulative buckets; empty before the first observation. */
  samples(labels: Readonly<Record<string, string>>): Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    for (let bucket = 0; bucket <= BOUNDS_MS.length; bucket += 1) {
      count += this.#numbers[bucket] as number;
      const bound = BOUNDS_SECONDS[bucket];
      samples.push({
        suffix: '_bucket',
        labels: { le: bound === undefined ? '+Inf' : String(bound), ...labels },
        value: count,
      });
    }
    const sum = (this.#numbers[BOUNDS_MS.length + 1] as number) / 1000;
    return count === 0
      ? []
      : [...samples, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
  }
}

function sample(labels: Sample['labels'], value: number): Sample {
  return { suffix: '', labels, value };
}
