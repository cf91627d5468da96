import type { ReactElement } from 'react';
import { Field, NumberInput } from '../components/index.ts';
import { complaintAbout } from './complaint.ts';
import { type LimitsDraft, RATES, type Rate } from './limits-draft.ts';

const LABELS: Readonly<Record<Rate, string>> = {
  requests_per_minute: 'Requests per minute',
  requests_per_day: 'Requests per day',
  tokens_per_minute: 'Tokens per minute',
  concurrent_calls: 'Concurrent requests',
};

export interface RateFieldsProps {
  readonly value: LimitsDraft;
  readonly onChange: (value: LimitsDraft) => void;
  readonly error?: unknown;
}

export function RateFields({ value, onChange, error }: RateFieldsProps): ReactElement {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {RATES.map((rate) => (
        <Field key={rate} label={LABELS[rate]} error={complaintAbout(error, `limits.${rate}`)}>
          <NumberInput
            value={value.rates[rate]}
            onChange={(limit) => onChange({ ...value, rates: { ...value.rates, [rate]: limit } })}
            placeholder="no limit"
          />
        </Field>
      ))}
    </div>
  );
}
