/**
 * What visitors without a key see of the models, if the operator wants that: ids, names, limits, abilities, prices at the installation's rate,
 * and how fast and how reliably they have answered. No providers, no accounts. It is written once for all visitors, in turns with other work,
 * and again at most every half minute while somebody asks: what a visitor costs does not depend on how many models there are.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PinnedRates } from '../../../billing/rates.ts';
import type { Model } from '../../../catalog/model.ts';
import { formatPricePerMillion } from '../../../catalog/prices.ts';
import { unitPriceTexts } from '../../../catalog/unit-prices.ts';
import type { Clock } from '../../../core/clock.ts';
import type { PicoUsd } from '../../../core/money.ts';
import { priceAtRate } from '../../../core/rates/rate.ts';
import type { ProviderHealth, SeenHealth } from '../../../telemetry/provider-health.ts';
import { partPriceTexts } from '../../part-prices.ts';
import type { ModelLists } from './model-lists.ts';

export interface ShownModelPorts {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly lists: () => Pick<ModelLists, 'visible' | 'providers'>;
  readonly health: Pick<ProviderHealth, 'seenOf'>;
  /** Of an account without rates of its own. */
  readonly rates: () => PinnedRates;
}

/** JSON, compressed. */
export interface ShownText {
  readonly gzip: Buffer;
  readonly etag: string;
}

export const FRESH_MS = 30_000;
/** A browser has to draw them; with more, the first ones by id are shown. */
export const SHOWN_MAX = 50_000;
const MODELS_PER_TURN = 200;
const compress = promisify(gzip);

export class ShownModels {
  readonly #ports: ShownModelPorts;
  #text: ShownText | null = null;
  #writing: Promise<ShownText> | null = null;
  /** Monotonic, ms. */
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(ports: ShownModelPorts) {
    this.#ports = ports;
  }

  /** At most half a minute old, or a little more while it is being written. */
  async text(): Promise<ShownText> {
    const isFresh = this.#ports.clock.monotonic() - this.#writtenAt < FRESH_MS;
    if (this.#text !== null && isFresh) return this.#text;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
    if (this.#text === null) return this.#writing;
    // The next visitor gets the new one; a failure shows then.
    this.#writing.catch(() => undefined);
    return this.#text;
  }

  async #write(): Promise<ShownText> {
    const { clock, lists, rates, health } = this.#ports;
    const startedAt = clock.monotonic();
    const { visible, providers } = lists();
    const all = await visible.of({ permissions: [{}] });
    const models = all.slice(0, SHOWN_MAX);
    const abilities = new Abilities();
    const pinned = rates();
    const texts: string[] = [];
    for (const [at, model] of models.entries()) {
      if (at % MODELS_PER_TURN === MODELS_PER_TURN - 1) await nextTurn();
      texts.push(describe(model, abilities.indexOf(model), pinned, seenOf(model, { providers, health })));
    }
    const head = JSON.stringify({ updated_at: new Date(clock.now()).toISOString(), total_count: all.length });
    const json = `${head.slice(0, -1)},"abilities":${abilities.text},"data":[${texts.join(',')}]}`;
    this.#text = { gzip: await compress(json), etag: etagOf(json) };
    this.#writtenAt = startedAt;
    return this.#text;
  }
}

/** Without the time of writing, so that a list with nothing new keeps its tag. */
function etagOf(json: string): string {
  const hash = createHash('sha256').update(json.slice(json.indexOf('"total_count"')));
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Many models can do the same: each set is in the list once. */
class Abilities {
  readonly #indexes = new Map<string, number>();

  indexOf({ inputModalities, outputModalities, supportedParameters }: Model): number {
    const text = JSON.stringify({
      input_modalities: inputModalities,
      output_modalities: outputModalities,
      supported_parameters: supportedParameters,
    });
    let index = this.#indexes.get(text);
    if (index === undefined) {
      index = this.#indexes.size;
      this.#indexes.set(text, index);
    }
    return index;
  }

  get text(): string {
    return `[${[...this.#indexes.keys()].join(',')}]`;
  }
}

/** Of the first of its providers that has been called; null before that. */
function seenOf(model: Model, { providers, health }: Pick<ModelLists, 'providers'> & Pick<ShownModelPorts, 'health'>) {
  for (const target of model.targets) {
    const provider = providers.get(target.provider);
    const seen = provider === undefined ? null : health.seenOf(provider, model.id);
    if (seen !== null) return seen;
  }
  return null;
}

function describe(model: Model, abilities: number, rates: PinnedRates, seen: SeenHealth | null): string {
  const target = model.targets[0];
  const prices = target?.prices ?? null;
  const rate = rates.rateOf(model.id, false);
  const perMillion = (price: PicoUsd | null | undefined) =>
    price === null || price === undefined ? null : formatPricePerMillion(priceAtRate(price, rate));
  const units = unitPriceTexts(prices?.units ?? [], rate);
  return JSON.stringify({
    id: model.id,
    name: model.name,
    created: model.created,
    context_length: model.contextWindow,
    max_completion_tokens: model.outputCap,
    abilities,
    pricing: {
      input: perMillion(prices?.input),
      output: perMillion(prices?.output),
      cache_read: perMillion(prices?.cacheRead),
      cache_write: perMillion(prices?.cacheWrite),
      ...partPriceTexts(prices, rate),
      // USD a piece, as in `/api/v1/models`.
      ...(units !== null && { units }),
    },
    first_token_p50_ms: rounded(seen?.pace?.firstTokenMs.p50),
    tokens_per_second: rounded(seen?.pace?.tokensPerSecond.p50),
    uptime_last_1d: seen?.uptime.last1d ?? null,
  });
}

/** To tenths. */
function rounded(figure: number | undefined): number | null {
  return figure === undefined ? null : Math.round(figure * 10) / 10;
}
