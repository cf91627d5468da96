/**
 * What a caller states about where its call may go, and where rather: OpenRouter's `models` and `provider`, read and checked.
 * https://openrouter.ai/docs/features/provider-routing
 */
import type { PicoUsd } from '../money.ts';
import type { Quantization } from './quantization.ts';

export type SortKey = 'price' | 'throughput' | 'latency';

export interface RoutePreferences {
  /** The models to try after the requested one, in order, as the caller wrote them. */
  readonly models: readonly string[];
  /** Providers to try first, in order; `foldProvider` of what the caller wrote, as in the next two. */
  readonly order: readonly string[];
  /** The only providers that may serve; empty: all. */
  readonly only: readonly string[];
  readonly ignore: readonly string[];
  /** Whether others may serve than the first, or than those of `order`. */
  readonly allowFallbacks: boolean;
  readonly sort: SortKey | null;
  /** Whether the candidates of all models are sorted together; otherwise another model's come after the requested one's. */
  readonly sortsModelsTogether: boolean;
  readonly maxPrice: MaxPrice | null;
  /** Whether only those may serve that are known not to collect what they are sent. */
  readonly deniesCollection: boolean;
  /** Whether only those that are known to keep nothing. */
  readonly deniesRetention: boolean;
  /** The only ones that may serve; empty: all. */
  readonly quantizations: readonly Quantization[];
  /** What the request sets, in OpenRouter's words for parameters, if the model must support all of it; otherwise null. */
  readonly requiredParameters: readonly string[] | null;
  /** Slower candidates come later; null: none is too slow. */
  readonly tokensPerSecondMin: number | null;
  readonly firstTokenMsMax: number | null;
}

/** Pico-USD per unit; null: any. */
export interface MaxPrice {
  readonly input: PicoUsd | null;
  readonly output: PicoUsd | null;
  readonly image: PicoUsd | null;
  readonly inputAudio: PicoUsd | null;
  /** Per call. */
  readonly request: PicoUsd | null;
}

/** `Amazon Bedrock` and `amazon-bedrock` are one provider: a name in small letters, without anything but letters and digits. */
export function foldProvider(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9/]/g, '');
}
