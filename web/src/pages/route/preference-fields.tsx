import type { ReactElement } from 'react';
import { Checkbox, Field, MoneyInput, Select, TagsInput } from '../../components/index.ts';
import { Section } from '../../forms/section.tsx';
import { preferencesText, QUANTIZATIONS, type RouteDraft, type SortKey } from './route-draft.ts';

export interface PreferenceFieldsProps {
  readonly draft: RouteDraft;
  readonly change: (changes: Partial<RouteDraft>) => void;
  /** Names of providers, for suggestions. */
  readonly providers: readonly string[];
}

const SORTS: readonly { readonly value: SortKey; readonly label: string }[] = [
  { value: '', label: "The catalogue's order" },
  { value: 'price', label: 'Price' },
  { value: 'throughput', label: 'Throughput' },
  { value: 'latency', label: 'Latency' },
];

/** What a request may state about providers. */
export function PreferenceFields({ draft, change, providers }: PreferenceFieldsProps): ReactElement {
  return (
    <Section title="Provider preferences" summary={preferencesText(draft)}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="These first" hint="In this order: provider.order." optional>
          <TagsInput value={draft.order} onChange={(order) => change({ order })} suggestions={providers} />
        </Field>
        <Field label="Sorted by" hint="provider.sort">
          <Select value={draft.sort} onChange={(sort) => change({ sort })} options={SORTS} />
        </Field>
        <Field label="Only these" hint="provider.only" optional>
          <TagsInput value={draft.only} onChange={(only) => change({ only })} suggestions={providers} />
        </Field>
        <Field label="Not these" hint="provider.ignore" optional>
          <TagsInput value={draft.ignore} onChange={(ignore) => change({ ignore })} suggestions={providers} />
        </Field>
        <Field label="Maximum input price" hint="USD per million tokens." optional>
          <MoneyInput value={draft.inputPriceMax} onChange={(inputPriceMax) => change({ inputPriceMax })} />
        </Field>
        <Field label="Maximum output price" hint="USD per million tokens." optional>
          <MoneyInput value={draft.outputPriceMax} onChange={(outputPriceMax) => change({ outputPriceMax })} />
        </Field>
        <Field label="Quantizations" hint="provider.quantizations" optional>
          <TagsInput
            value={draft.quantizations}
            onChange={(quantizations) => change({ quantizations })}
            suggestions={QUANTIZATIONS}
            check={(text) => (isQuantization(text) ? null : `Choose of ${QUANTIZATIONS.join(', ')}.`)}
          />
        </Field>
      </div>
      <Checkbox
        label="Allow fallbacks"
        hint="Without it, only the first candidate of each model is tried."
        checked={draft.allowsFallbacks}
        onChange={(allowsFallbacks) => change({ allowsFallbacks })}
      />
      <Checkbox
        label="No data collection"
        hint="Only providers that are known not to keep prompts for their own use: provider.data_collection deny."
        checked={draft.deniesDataCollection}
        onChange={(deniesDataCollection) => change({ deniesDataCollection })}
      />
      <Checkbox
        label="Zero data retention"
        hint="Only providers that are known to retain nothing: provider.zdr."
        checked={draft.needsZeroRetention}
        onChange={(needsZeroRetention) => change({ needsZeroRetention })}
      />
    </Section>
  );
}

function isQuantization(text: string): boolean {
  return QUANTIZATIONS.some((each) => each === text);
}
