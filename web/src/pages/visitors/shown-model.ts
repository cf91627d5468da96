/** What visitors see of models: the answer of `GET /api/public/models`, with each model's abilities in it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ApiError, fetchJson } from '../../api/client.ts';
import { basePath } from '../../navigation/base-path.ts';

export interface ShownModel {
  readonly id: string;
  readonly name: string;
  /** Unix seconds; 0 if it is not known. */
  readonly created: number;
  readonly context_length: number | null;
  readonly max_completion_tokens: number | null;
  readonly abilities: Abilities;
  /** USD per million tokens; null if it is not known. */
  readonly pricing: {
    readonly input: string | null;
    readonly output: string | null;
    readonly cache_read: string | null;
    readonly cache_write: string | null;
    /** Of images that are read, and of images and sound in an answer; absent if they cost what other tokens do. */
    readonly input_image?: string;
    readonly output_image?: string;
    readonly output_audio?: string;
    /** USD a piece, by the unit's name; absent if nothing is charged by the piece. */
    readonly units?: Readonly<Record<string, string>>;
  };
  /** Median; null without a stream in the last half hour. */
  readonly first_token_p50_ms: number | null;
  readonly tokens_per_second: number | null;
  /** Percent; null without a call. */
  readonly uptime_last_1d: number | null;
}

export interface Abilities {
  readonly input_modalities: readonly string[];
  readonly output_modalities: readonly string[];
  readonly supported_parameters: readonly string[];
}

export interface ShownModels {
  readonly models: readonly ShownModel[];
  /** May be more than there are in `models`. */
  readonly totalCount: number;
}

interface Answer {
  readonly total_count: number;
  readonly abilities: readonly Abilities[];
  readonly data: readonly (Omit<ShownModel, 'abilities'> & { readonly abilities: number })[];
}

const NO_ABILITIES: Abilities = { input_modalities: [], output_modalities: [], supported_parameters: [] };

export function useShownModels(): UseQueryResult<ShownModels, ApiError> {
  return useQuery<ShownModels, ApiError>({ queryKey: ['shown-models'], queryFn: fetchModels, staleTime: 30_000 });
}

async function fetchModels({ signal }: { readonly signal: AbortSignal }): Promise<ShownModels> {
  const { abilities, data, total_count } = (await fetchJson(`${basePath}/api/public/models`, { signal })) as Answer;
  return {
    models: data.map((model) => ({ ...model, abilities: abilities[model.abilities] ?? NO_ABILITIES })),
    totalCount: total_count,
  };
}
