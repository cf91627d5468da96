/** The state of the model form, and the setting it produces. */
import { modalities } from '../../api/dialects.ts';
import type { Provider } from '../../api/types.ts';

export type ModelSetting = Provider['model_settings'][number];

export interface ModelDraft {
  readonly upstream: string;
  readonly id: string;
  readonly name: string;
  readonly context: number | null;
  readonly cap: number | null;
  readonly pricing: 'known' | 'own' | 'free';
  /** USD per million tokens, as decimal text. */
  readonly input: string;
  readonly output: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  /** Of images that are read; empty if they cost what text does. */
  readonly inputImage: string;
  /** Prices of what is not counted in tokens, which the form keeps as they are. */
  readonly units: Readonly<Record<string, string>> | undefined;
  /** Input and output types; empty for what is known, or else text. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

type Modality = NonNullable<ModelSetting['input_modalities']>[number];

export const MODALITIES: readonly Modality[] = modalities;

export function draftOfModel(setting: ModelSetting | null): ModelDraft {
  const price = setting?.price ?? null;
  const own = price === null || price === 'free' ? null : price;
  return {
    upstream: setting?.upstream ?? '',
    id: setting?.id ?? '',
    name: setting?.name ?? '',
    context: setting?.context_length ?? null,
    cap: setting?.output_cap ?? null,
    pricing: own !== null ? 'own' : price === 'free' ? 'free' : 'known',
    input: own?.input ?? '',
    output: own?.output ?? '',
    cacheRead: own?.cache_read ?? '',
    cacheWrite: own?.cache_write ?? '',
    inputImage: own?.input_image ?? '',
    units: own?.units,
    reads: setting?.input_modalities ?? [],
    writes: setting?.output_modalities ?? [],
  };
}

export function settingOf(draft: ModelDraft): ModelSetting {
  return {
    upstream: draft.upstream.trim(),
    id: textOrNull(draft.id),
    name: textOrNull(draft.name),
    context_length: draft.context === 0 ? null : draft.context,
    output_cap: draft.cap === 0 ? null : draft.cap,
    price: priceOf(draft),
    input_modalities: modalitiesOf(draft.reads),
    output_modalities: modalitiesOf(draft.writes),
  };
}

function modalitiesOf(names: readonly string[]): readonly Modality[] | null {
  const chosen = MODALITIES.filter((name) => names.includes(name));
  return chosen.length === 0 ? null : chosen;
}

function priceOf({
  pricing,
  input,
  output,
  cacheRead,
  cacheWrite,
  inputImage,
  units,
}: ModelDraft): NonNullable<ModelSetting['price']> | null {
  if (pricing !== 'own') return pricing === 'free' ? 'free' : null;
  return {
    input: wholePrice(input),
    output: wholePrice(output),
    ...(cacheRead === '' ? {} : { cache_read: wholePrice(cacheRead) }),
    ...(cacheWrite === '' ? {} : { cache_write: wholePrice(cacheWrite) }),
    ...(inputImage === '' ? {} : { input_image: wholePrice(inputImage) }),
    ...(units === undefined ? {} : { units }),
  };
}

/** `.5` and `5.` are how people type. */
function wholePrice(text: string): string {
  const [whole = '', places = ''] = text.split('.');
  return `${whole === '' ? '0' : whole}${places === '' ? '' : `.${places}`}`;
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
