import type { ReactElement } from 'react';
import { Button, DateTimeInput, Field } from '../components/index.ts';
import { complaintAbout } from './complaint.ts';

const DAY_MS = 86_400_000;
const QUICK = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
];

export interface ExpiryFieldProps {
  /** ISO 8601; null for never. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly error?: unknown;
}

/** When something expires. */
export function ExpiryField({ value, onChange, error }: ExpiryFieldProps): ReactElement {
  return (
    <Field
      label="Expires"
      hint={value === null ? 'Never expires unless you set a time.' : 'In your browser’s time zone.'}
      error={complaintAbout(error, 'expires_at')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <DateTimeInput
          value={value}
          onChange={onChange}
          min={new Date().toISOString()}
          className="flex-[1_1_12rem] sm:max-w-60"
        />
        {QUICK.map(({ days, label }) => (
          <Button key={days} size="small" onClick={() => onChange(new Date(Date.now() + days * DAY_MS).toISOString())}>
            {label}
          </Button>
        ))}
        {value !== null && (
          <Button size="small" kind="ghost" onClick={() => onChange(null)}>
            Never
          </Button>
        )}
      </div>
    </Field>
  );
}
