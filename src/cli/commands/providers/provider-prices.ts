/** Models without a price: with prepaid billing they are not served, and a command sets their price. */
import type { CommandContext } from '../../command.ts';
import type { ControlClient } from '../../control-client.ts';
import { readOfferedModels } from '../../offered-models.ts';
import { shownText } from '../../output.ts';

/** A model in the entry of a provider. */
export interface GivenModel {
  readonly upstream: string;
  readonly price: unknown;
  readonly id: string | null;
  readonly name: string | null;
  readonly context_length: number | null;
  readonly output_cap: number | null;
  readonly input_modalities?: readonly string[] | null;
  readonly output_modalities?: readonly string[] | null;
}

interface PricedProvider {
  readonly name: string;
  readonly models: number;
  readonly is_enabled: boolean;
  readonly model_settings: readonly GivenModel[];
}

interface TargetRow {
  readonly provider: string;
  readonly upstream_model: string;
  readonly price_per_million: object | null;
}

/** The most models named in a sentence. */
const NAMED_MAX = 12;

/** The provider's names of its models that are not served because they have no price; empty unless billing is prepaid. */
export async function unpricedModels(
  control: ControlClient,
  { name, models, is_enabled: isEnabled }: PricedProvider,
): Promise<readonly string[]> {
  if (models === 0 || !isEnabled) return [];
  const { data, servesUnpriced } = await readOfferedModels<{ readonly targets: readonly TargetRow[] }>(control, false);
  if (servesUnpriced) return [];
  return data
    .flatMap(({ targets }) => targets)
    .filter((target) => target.provider === name && target.price_per_million === null)
    .map((target) => target.upstream_model);
}

/** `, and serves 2 models`, the end of a sentence. */
export function servesText({ models, is_enabled: isEnabled }: PricedProvider, unpriced: readonly string[]): string {
  if (!isEnabled) return '';
  const served = models - unpriced.length;
  if (unpriced.length === 0) return `, and serves ${counted(served)}`;
  const without = `${unpriced.length} ${unpriced.length === 1 ? 'has' : 'have'} no price`;
  return served > 0 ? `, and serves ${counted(served)}; ${without}` : `, and serves no models yet: ${without}`;
}

/** Prints the command that sets their price. It names every model of the entry, because its list replaces them. */
export function advisePrice(
  { terminal, program }: CommandContext,
  { name, model_settings: given }: PricedProvider,
  unpriced: readonly string[],
): void {
  const names = given.map(({ upstream, id }) => (id === null ? upstream : `${upstream}=${id}`));
  if (given.some(hasOtherSettings) || !unpriced.every((name) => given.some(({ upstream }) => upstream === name))) {
    const shown = unpriced.slice(0, NAMED_MAX).map(shownText).join(', ');
    terminal.note(
      `Not served until you set a price in the dashboard: ${shown}${unpriced.length > NAMED_MAX ? ', …' : ''}`,
    );
    return;
  }
  const [first] = given;
  const example = exampleFor(first?.output_modalities ?? []);
  const modalities = [
    flag('--input-modalities', first?.input_modalities),
    flag('--output-modalities', first?.output_modalities),
  ].join('');
  terminal.note(
    `Billing is prepaid, so models are served only with a price, in USD ${example.of}: ` +
      `${program.name} providers update ${shownText(name)} --models ${names.map(shownText).join(',')}${modalities} --price ${example.price} (or ${example.otherwise}--price free)`,
  );
}

/** What a model that writes this is charged by. */
function exampleFor(writes: readonly string[]): {
  readonly of: string;
  readonly price: string;
  readonly otherwise: string;
} {
  const piece = writes.map((modality) => PIECES[modality]).find((each) => each !== undefined);
  return piece === undefined
    ? { of: 'per million input and output tokens', price: TOKENS, otherwise: '' }
    : { ...piece, otherwise: `per million tokens --price ${TOKENS}, or ` };
}

const TOKENS = '0.15/0.60';
const PIECES: Readonly<Record<string, { readonly of: string; readonly price: string }>> = {
  image: { of: 'an image', price: 'image=0.04' },
  audio: { of: 'a character', price: 'character=0.000015' },
  rerank: { of: 'a search', price: 'search=0.002' },
  transcription: { of: 'a second', price: 'second=0.0001' },
};

/** Whether the model has settings that the command cannot express, and would remove. */
function hasOtherSettings({ price, name, context_length: window, output_cap: cap }: GivenModel): boolean {
  return [price, name, window, cap].some((value) => value !== null);
}

function flag(name: string, values: readonly string[] | null | undefined): string {
  return values === null || values === undefined || values.length === 0 ? '' : ` ${name} ${values.join(',')}`;
}

function counted(models: number): string {
  return `${models} ${models === 1 ? 'model' : 'models'}`;
}
