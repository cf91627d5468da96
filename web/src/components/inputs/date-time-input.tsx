import type { ReactElement } from 'react';
import { zoneChoice } from '../../format/zone.ts';
import { classNames } from '../class-names.ts';
import { useControl } from './field.tsx';
import { controlClasses } from './inputs.tsx';

export interface DateTimeInputProps {
  /** ISO 8601, as in the API; null for none. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly min?: string;
  readonly max?: string;
  readonly 'aria-label'?: string;
  readonly className?: string;
}

/** A minute in the chosen zone, with the browser's own picker. */
export function DateTimeInput({ value, onChange, min, max, className, ...rest }: DateTimeInputProps): ReactElement {
  return (
    <input
      {...useControl()}
      {...rest}
      type="datetime-local"
      value={toLocal(value)}
      min={toLocal(min ?? null)}
      max={toLocal(max ?? null)}
      onChange={(event) => {
        const at = new Date(zoneChoice() === 'utc' ? `${event.target.value}Z` : event.target.value);
        onChange(Number.isNaN(at.getTime()) ? null : at.toISOString());
      }}
      className={classNames(controlClasses, 'figures h-9', className)}
    />
  );
}

function toLocal(value: string | null): string {
  if (value === null) return '';
  const at = new Date(value);
  const offset = zoneChoice() === 'utc' ? 0 : at.getTimezoneOffset();
  return new Date(at.getTime() - offset * 60_000).toISOString().slice(0, 16);
}
