/** How each model at each provider does, read on each scrape: operators configure both, so there are few. */
import { Gauge, type Registry } from 'prom-client';
import type { PaceFigures } from './pace-samples.ts';

/** A model at a provider. */
export interface TargetFigures {
  readonly provider: string;
  readonly model: string;
  /** Null without a stream lately. */
  readonly pace: PaceFigures | null;
  readonly isResting: boolean;
}

export function targetGauges(read: () => Iterable<TargetFigures>, registers: Registry[]): void {
  new Gauge({
    name: 'turnpike_first_token_seconds',
    help: 'From the request to the provider to the first output, of the last 64 streams of 10 minutes.',
    labelNames: [...TARGET, 'quantile'],
    registers,
    collect() {
      this.reset();
      for (const { provider, model, pace } of read()) {
        if (pace === null) continue;
        this.set({ provider, model, quantile: '0.5' }, pace.firstTokenMs / 1000);
        this.set({ provider, model, quantile: '0.95' }, pace.firstTokenP95Ms / 1000);
      }
    },
  });
  new Gauge({
    name: 'turnpike_output_tokens_per_second',
    help: 'Median of the same streams, from the first token on.',
    labelNames: TARGET,
    registers,
    collect() {
      this.reset();
      for (const { provider, model, pace } of read())
        if (pace !== null) this.set({ provider, model }, pace.tokensPerSecond);
    },
  });
  new Gauge({
    name: 'turnpike_provider_resting',
    help: 'Whether calls of this model pass the provider over: 1 while it rests, otherwise 0.',
    labelNames: TARGET,
    registers,
    collect() {
      this.reset();
      for (const { provider, model, isResting } of read()) this.set({ provider, model }, isResting ? 1 : 0);
    },
  });
}

const TARGET = ['provider', 'model'] as const;
