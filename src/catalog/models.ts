/** The models known from the price tables: `models.json`, read on first use. */
import { readFileSync } from 'node:fs';
import type { DeclaredQuirks, ProviderDialectName } from '../dialects/index.ts';
import type { Efforts, Modality } from './model.ts';

/** Pico-USD per unit; small enough for exact numbers. A line that the tables lack is absent. */
export interface KnownLines {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
  readonly inputAudio?: number;
  readonly outputAudio?: number;
  readonly cacheReadAudio?: number;
  readonly inputImage?: number;
  readonly outputImage?: number;
  readonly reasoning?: number;
  readonly request?: number;
  readonly webSearch?: number;
  readonly fileSearch?: number;
  readonly codeInterpreter?: number;
}

export interface KnownPrices extends KnownLines {
  /** Per piece of what is not counted in tokens, by name. */
  readonly units?: Readonly<Record<string, number>>;
  readonly tiers?: readonly (KnownLines & { readonly abovePromptTokens: number })[];
}

export interface KnownTarget {
  /** A kind of provider. */
  readonly provider: string;
  readonly upstreamModel: string;
  /** The only formats in which it is served there; absent if its provider decides. */
  readonly dialects?: readonly ProviderDialectName[];
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  /** When its vendor ends it, a date like 2026-11-21; absent if the tables do not say. */
  readonly retires?: string;
  readonly prices: KnownPrices;
}

export interface KnownModel {
  readonly id: string;
  readonly name: string;
  /** Other spellings of the id. */
  readonly aliases?: readonly string[];
  readonly created: number;
  readonly knowledgeCutoff: string | null;
  readonly inputModalities: readonly Modality[];
  readonly outputModalities: readonly Modality[];
  readonly supportedParameters: readonly string[];
  /** This and the next field are absent if the tables do not say. */
  readonly efforts?: Efforts;
  readonly quirks?: DeclaredQuirks;
  readonly targets: readonly KnownTarget[];
}

let known: readonly KnownModel[] | null = null;
/** Every spelling → the id. */
let ids: ReadonlyMap<string, string> | null = null;

/** In order of id. */
export function knownModels(): readonly KnownModel[] {
  known ??= (JSON.parse(readFileSync(new URL('./models.json', import.meta.url), 'utf8')) as { models: KnownModel[] })
    .models;
  return known;
}

/** The id of the known model that has this id or this other spelling, whoever serves it; null if none has. */
export function knownIdOf(name: string): string | null {
  // An id is never hidden by another model's spelling.
  ids ??= new Map([
    ...knownModels().flatMap(({ id, aliases = [] }) => aliases.map((alias): [string, string] => [alias, id])),
    ...knownModels().map(({ id }): [string, string] => [id, id]),
  ]);
  return ids.get(name) ?? null;
}
