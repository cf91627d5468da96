import type { ReactElement, ReactNode } from 'react';
import { Button, Card, Duration, IconButton } from '../../components/index.ts';
import { formatCount, formatDate } from '../../format/figures.ts';
import { inputPrice, outputPrice } from '../../format/model-prices.ts';
import { formatPrice } from '../../format/money.ts';
import { COMPARED_MAX } from './matching.ts';
import { AbilityBadges, Price, Uptime } from './model-words.tsx';
import type { ShownModel } from './shown-model.ts';

export interface CompareModelsProps {
  readonly models: readonly ShownModel[];
  readonly onRemove: (id: string) => void;
  readonly onClear: () => void;
}

const ROWS: readonly (readonly [label: string, cell: (model: ShownModel) => ReactNode])[] = [
  ['Input, per million tokens', ({ pricing }) => <Price text={inputPrice(pricing)} />],
  ['Output, per million tokens', ({ pricing }) => <Price text={outputPrice(pricing)} />],
  ['Image input', ({ pricing }) => <Price text={formatPrice(pricing.input_image ?? null)} />],
  ['Image output', ({ pricing }) => <Price text={formatPrice(pricing.output_image ?? null)} />],
  ['Audio output', ({ pricing }) => <Price text={formatPrice(pricing.output_audio ?? null)} />],
  ['Cache reads', ({ pricing }) => <Price text={formatPrice(pricing.cache_read)} />],
  ['Cache writes', ({ pricing }) => <Price text={formatPrice(pricing.cache_write)} />],
  ['Context window', ({ context_length: tokens }) => tokensText(tokens)],
  ['Max output', ({ max_completion_tokens: tokens }) => tokensText(tokens)],
  ['Input types', ({ abilities }) => abilities.input_modalities.join(', ') || '–'],
  ['Output types', ({ abilities }) => abilities.output_modalities.join(', ') || '–'],
  ['Abilities', (model) => <AbilityBadges model={model} />],
  ['Time to first token', (model) => <Duration ms={model.first_token_p50_ms} />],
  ['Tokens per second', ({ tokens_per_second: speed }) => (speed === null ? '–' : tokensText(Math.round(speed)))],
  ['Uptime, last 24 hours', (model) => <Uptime percent={model.uptime_last_1d} />],
  ['Released', ({ created }) => (created === 0 ? '–' : formatDate(created * 1_000))],
  ['Parameters', ({ abilities }) => <Parameters names={abilities.supported_parameters} />],
];

/** Up to four models side by side; on a phone they are scrolled sideways. */
export function CompareModels({ models, onRemove, onClear }: CompareModelsProps): ReactElement {
  return (
    <Card
      flush
      title="Comparison"
      description={`Up to ${COMPARED_MAX} models, side by side. The link of this page keeps them.`}
      actions={
        <Button size="small" onClick={onClear}>
          Clear
        </Button>
      }
      className="mb-6"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard */}
      <section aria-label="Comparison of models" tabIndex={0} className="overflow-x-auto">
        <table className="w-full border-collapse text-left">
          <thead>
            <tr className="align-top">
              <td className="sticky left-0 bg-surface" />
              {models.map(({ id, name }) => (
                <th key={id} scope="col" className="min-w-40 px-3 py-2 font-medium last:pr-5 sm:w-1/4">
                  <span className="flex items-start justify-between gap-2">
                    <span className="min-w-0">
                      <span className="block wrap-anywhere">{name}</span>
                      <span className="block font-mono text-xs font-normal break-all text-muted">{id}</span>
                    </span>
                    <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(id)} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([label, cell]) => (
              <tr key={label} className="border-t align-top">
                <th
                  scope="row"
                  className="sticky left-0 max-w-28 bg-surface py-2 pr-3 pl-5 text-sm font-normal text-muted sm:max-w-48 sm:whitespace-nowrap"
                >
                  {label}
                </th>
                {models.map((model) => (
                  <td key={model.id} className="px-3 py-2 last:pr-5 [&_.flex]:justify-start">
                    {cell(model)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

function tokensText(count: number | null): ReactNode {
  return count === null ? '–' : <span className="figures">{formatCount(count)}</span>;
}

function Parameters({ names }: { readonly names: readonly string[] }): ReactElement {
  if (names.length === 0) return <span className="text-muted">not known</span>;
  return <span className="font-mono text-xs leading-5 wrap-anywhere">{names.join(', ')}</span>;
}
