import type { ReactElement } from 'react';
import { Field, TagsInput, TextInput } from '../../components/index.ts';
import { complaintAbout } from '../../forms/complaint.ts';
import { Section } from '../../forms/section.tsx';
import { describeAccountRates, type RatesDraft, readModelMarkup } from './rates-draft.ts';

export interface RateSectionProps {
  readonly value: RatesDraft;
  readonly onChange: (value: RatesDraft) => void;
  readonly error: unknown;
}

/** What the account is charged above or below the list price. */
export function RateSection({ value, onChange, error }: RateSectionProps): ReactElement {
  const complaint = (field: string): string | null => complaintAbout(error, `rates.${field}`);
  const words = describeAccountRates(value);
  return (
    <Section
      title="Markup"
      summary={words.join(', ') || 'that of the installation'}
      hasError={complaintAbout(error, 'rates') !== null}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Markup in percent"
          hint="Above the list price. Leave empty for that of the installation."
          error={complaint('markup')}
        >
          <TextInput
            value={value.markup}
            onChange={(markup) => onChange({ ...value, markup })}
            placeholder="default"
            inputMode="decimal"
            autoComplete="off"
          />
        </Field>
        <Field
          label="Fee for own credentials in percent"
          hint="Of the list price. Leave empty for that of the installation."
          error={complaint('own_credential_fee')}
        >
          <TextInput
            value={value.ownCredentialFee}
            onChange={(ownCredentialFee) => onChange({ ...value, ownCredentialFee })}
            placeholder="default"
            inputMode="decimal"
            autoComplete="off"
          />
        </Field>
      </div>
      <Field label="Markups of single models" hint="A model and percent: acme/large=20." error={complaint('models')}>
        <TagsInput
          value={value.models}
          onChange={(models) => onChange({ ...value, models })}
          check={(text) => (readModelMarkup(text) === null ? 'Write a model and a percentage: acme/large=20' : null)}
          placeholder="none"
        />
      </Field>
    </Section>
  );
}
