import type { ReactElement } from 'react';
import { Field, Select } from '../../components/index.ts';
import { complaintAbout } from '../../forms/complaint.ts';

const OFF = 'off';
const CHOICES = [60, 300, 3_600, 86_400];

export interface CacheFieldProps {
  /** Seconds; null for off. */
  readonly value: number | null;
  readonly onChange: (seconds: number | null) => void;
  readonly error?: unknown;
}

/** For how long the answers to a key's requests are given to equal ones. */
export function CacheField({ value, onChange, error }: CacheFieldProps): ReactElement {
  const seconds = value === null || CHOICES.includes(value) ? CHOICES : [...CHOICES, value].sort((a, b) => a - b);
  return (
    <Field
      label="Response cache"
      hint="An equal request gets the same answer again, without a charge."
      error={complaintAbout(error, 'cache_seconds')}
    >
      <Select
        value={value === null ? OFF : String(value)}
        onChange={(chosen) => onChange(chosen === OFF ? null : Number(chosen))}
        options={[
          { value: OFF, label: 'Only for requests that ask for it' },
          ...seconds.map((each) => ({ value: String(each), label: `For ${cacheWords(each)}` })),
        ]}
      />
    </Field>
  );
}

/** `5 minutes`. */
export function cacheWords(seconds: number): string {
  for (const [unit, name] of UNITS)
    if (seconds % unit === 0) return `${seconds / unit} ${name}${seconds === unit ? '' : 's'}`;
  return `${seconds} seconds`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];
