/** Controls that are on or off, and a choice of a few. They carry their own label: no `<Field>` is needed around them. */
import { type ReactElement, type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import { useFieldLabelId } from './field.tsx';

export interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, hint, disabled }: CheckboxProps): ReactElement {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <Words id={id} label={label} hint={hint} />
    </div>
  );
}

/** Takes effect immediately, unlike a checkbox in a form. */
export function Switch({ checked, onChange, label, hint, disabled }: CheckboxProps): ReactElement {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        disabled={disabled}
        onClick={() => onChange(!checked)}
        className={classNames(
          'inline-flex h-5 w-9 shrink-0 items-center rounded-full p-0.5 transition-colors disabled:opacity-50',
          checked ? 'bg-accent' : 'bg-control',
        )}
      >
        <span
          className={classNames('size-4 rounded-full bg-on-accent transition-transform', checked && 'translate-x-4')}
        />
      </button>
      <Words id={id} label={label} hint={hint} />
    </div>
  );
}

export interface RadioCard<Value extends string> {
  readonly value: Value;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
}

export interface RadioCardsProps<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly RadioCard<Value>[];
  /** Needed if no `<Field>` names the group. */
  readonly label?: string;
  /** Columns from 640 px on: 1 to 4. */
  readonly columns?: 1 | 2 | 3 | 4;
}

const COLUMNS = ['', 'sm:grid-cols-1', 'sm:grid-cols-2', 'sm:grid-cols-3', 'sm:grid-cols-4'];

export function RadioCards<Value extends string>({
  value,
  onChange,
  options,
  label,
  columns = 2,
}: RadioCardsProps<Value>): ReactElement {
  const name = useId();
  const labelId = useFieldLabelId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-labelledby={label === undefined ? labelId : undefined}
      className={classNames('grid gap-2', COLUMNS[columns])}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            'flex items-start gap-2.5 rounded border px-3 py-2.5 has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
            option.value === value ? 'border-accent bg-accent-soft' : 'border-line hover:bg-sunken',
            option.disabled ? 'opacity-55' : 'cursor-pointer',
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
          />
          <span className="min-w-0">
            <span className="block font-medium">{option.title}</span>
            {option.description !== undefined && (
              <span className="mt-0.5 block text-sm text-muted">{option.description}</span>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}

function Words({
  id,
  label,
  hint,
}: {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint: ReactNode | undefined;
}): ReactElement {
  return (
    <div className="min-w-0">
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}
