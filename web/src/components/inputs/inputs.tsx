/** Controls for a line of text. Each reads its ids from the surrounding `<Field>`; outside one, pass `aria-label`. */
import { type InputHTMLAttributes, type ReactElement, type Ref, type TextareaHTMLAttributes, useState } from 'react';
import { classNames } from '../class-names.ts';
import { type Complaint, useComplaint } from './complaint.tsx';
import { amountProblem, mayBecomeAmount, wholeNumberProblem } from './entry-problem.ts';
import { useControl } from './field.tsx';

export const controlClasses =
  'w-full min-w-0 rounded border border-control bg-surface px-2.5 text-text aria-invalid:border-bad disabled:bg-sunken disabled:text-muted';

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'type' | 'size'>;

export interface TextInputProps extends Native {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url';
  /** For ids and secrets. */
  readonly mono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextInput({ value, onChange, type = 'text', mono, className, ...rest }: TextInputProps): ReactElement {
  return (
    <input
      {...useControl()}
      type={type}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classNames(controlClasses, 'h-9', mono && 'font-mono text-sm', className)}
      {...rest}
    />
  );
}

export interface TextAreaProps
  extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'className'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly mono?: boolean;
}

export function TextArea({ value, onChange, mono, rows = 4, ...rest }: TextAreaProps): ReactElement {
  return (
    <textarea
      {...useControl()}
      rows={rows}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classNames(controlClasses, 'py-2', mono && 'font-mono text-sm')}
      {...rest}
    />
  );
}

export interface NumberInputProps extends Native {
  /** Null: empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  /** Right within the control: `per minute`. */
  readonly unit?: string;
}

/** A whole number of 0 or more. Invalid input stays as typed, is reported, and blocks the form; `value` stays. */
export function NumberInput({ value, onChange, unit, className, onBlur, ...rest }: NumberInputProps): ReactElement {
  const control = useControl();
  // The raw input, while it cannot be read; another value from outside replaces it.
  const [unread, setUnread] = useState<{ readonly text: string; readonly instead: number | null } | null>(null);
  const typed = unread !== null && unread.instead === value ? unread.text : null;
  const complaint = useComplaint(typed === null ? null : wholeNumberProblem(typed), { control });
  const take = (text: string): void => {
    if (wholeNumberProblem(text) !== null) return setUnread({ text, instead: value });
    setUnread(null);
    onChange(text === '' ? null : Number(text));
  };
  return (
    <Figure
      {...control}
      {...rest}
      complaint={complaint}
      inputMode="numeric"
      after={unit}
      value={typed ?? (value === null ? '' : String(value))}
      onChange={(event) => take(event.target.value)}
      onBlur={(event) => {
        // Surrounding white space, which pasting adds, is not part of a number.
        if (typed !== null) take(typed.trim());
        onBlur?.(event);
      }}
      className={className}
    />
  );
}

export interface MoneyInputProps extends Native {
  /** USD as decimal text, as the API takes it; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether a leading minus is allowed: for adjustments. */
  readonly signed?: boolean;
  /** Right within the control: `per month`. */
  readonly unit?: string;
}

/**
 * Stays text from the key to the request: no float touches it. At most 9 places. Invalid input stays as typed,
 * is reported, and blocks the form.
 */
export function MoneyInput({
  value,
  onChange,
  signed,
  unit,
  className,
  onBlur,
  ...rest
}: MoneyInputProps): ReactElement {
  const control = useControl();
  const complaint = useComplaint(amountProblem(value, signed), { control, quiet: mayBecomeAmount(value) });
  return (
    <Figure
      {...control}
      {...rest}
      complaint={complaint}
      inputMode="decimal"
      before="$"
      after={unit}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={(event) => {
        // Surrounding white space, which pasting adds, is not part of an amount.
        if (value !== value.trim()) onChange(value.trim());
        onBlur?.(event);
      }}
      className={classNames('pl-6', className)}
    />
  );
}

interface FigureProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'size'> {
  readonly complaint: Complaint;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A figure as text, so that no input is lost, with its error below. */
function Figure({ complaint, before, after, className, ...rest }: FigureProps): ReactElement {
  return (
    <div>
      <Affixed before={before} after={after}>
        <input
          autoComplete="off"
          {...rest}
          {...complaint.attributes}
          type="text"
          className={classNames(controlClasses, 'figures h-9', className)}
        />
      </Affixed>
      {complaint.note}
    </div>
  );
}

interface AffixedProps {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly children: ReactElement;
}

function Affixed({ before, after, children }: AffixedProps): ReactElement {
  return (
    <span className="relative flex items-center">
      {before !== undefined && (
        <span aria-hidden="true" className="pointer-events-none absolute left-2.5 text-muted">
          {before}
        </span>
      )}
      {children}
      {after !== undefined && (
        <span className="pointer-events-none absolute right-2.5 bg-surface pl-1 text-sm text-muted">{after}</span>
      )}
    </span>
  );
}
