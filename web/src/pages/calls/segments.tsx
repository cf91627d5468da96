import type { ReactElement } from 'react';
import { classNames } from '../../components/index.ts';

export interface SegmentsProps<Value extends string> {
  /** What the choice is about. */
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

/** A choice between a few visible options. */
export function Segments<Value extends string>({
  label,
  value,
  onChange,
  options,
}: SegmentsProps<Value>): ReactElement {
  return (
    <fieldset className="inline-flex rounded border bg-surface p-0.5" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={classNames(
            'h-7 rounded-sm px-2.5 text-sm whitespace-nowrap',
            option.value === value ? 'bg-sunken font-medium text-text' : 'text-muted hover:text-text',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
