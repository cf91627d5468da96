import type { ReactElement, SelectHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { useControl } from './field.tsx';
import { controlClasses } from './inputs.tsx';

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'children' | 'size' | 'multiple'> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly Option<Value>[];
  readonly size?: 'small' | 'normal';
}

/** The browser's own list: the fastest there is, at home on a phone and with a screen reader. For up to some 30 options. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  size = 'normal',
  className,
  ...rest
}: SelectProps<Value>): ReactElement {
  return (
    <span className={classNames('relative inline-flex min-w-0 items-center', className ?? 'w-full')}>
      <select
        {...useControl()}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
        className={classNames(
          controlClasses,
          'appearance-none truncate pr-8',
          size === 'small' ? 'h-8 text-sm' : 'h-9',
        )}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" className="pointer-events-none absolute right-2.5 text-muted" />
    </span>
  );
}
