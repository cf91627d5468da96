/** A label, its control, a hint and an error, tied together for screen readers. */
import { createContext, type ReactElement, type ReactNode, useContext, useId } from 'react';
import { ApiError } from '../../api/client.ts';
import { classNames } from '../class-names.ts';

interface FieldContext {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly labelId: string;
  readonly isInvalid: boolean;
}

const Context = createContext<FieldContext | null>(null);

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong, or null. */
  readonly error?: string | null | undefined;
  /** Marks optional fields; required ones have no mark. */
  readonly optional?: boolean;
  /** Right of the label: a link, a counter. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** `<Field label="Name"><TextInput value={name} onChange={setName} /></Field>`: the control finds its ids by itself. */
export function Field({ label, hint, error, optional, aside, children, className }: FieldProps): ReactElement {
  const id = useId();
  const hasError = error !== null && error !== undefined && error !== '';
  const describedBy = [hint !== undefined && `${id}-hint`, hasError && `${id}-error`].filter(Boolean).join(' ');
  return (
    <Context
      value={{
        id,
        labelId: `${id}-label`,
        describedBy: describedBy === '' ? undefined : describedBy,
        isInvalid: hasError,
      }}
    >
      <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
        <div className="flex items-baseline justify-between gap-3">
          <label id={`${id}-label`} htmlFor={id} className="font-medium">
            {label}
            {optional && <span className="font-normal text-muted"> optional</span>}
          </label>
          {aside !== undefined && <span className="text-sm text-muted">{aside}</span>}
        </div>
        {children}
        {hint !== undefined && (
          <div id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </div>
        )}
        {hasError && (
          <div id={`${id}-error`} role="alert" className="text-sm text-bad-text">
            {error}
          </div>
        )}
      </div>
    </Context>
  );
}

/** The attributes that a control takes from the field around it. */
export interface ControlAttributes {
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

export function useControl(): ControlAttributes {
  const field = useContext(Context);
  if (field === null) return {};
  return {
    id: field.id,
    ...(field.describedBy === undefined ? {} : { 'aria-describedby': field.describedBy }),
    ...(field.isInvalid ? { 'aria-invalid': true } : {}),
  };
}

/** From the surrounding field: for groups, which are named by `aria-labelledby`. */
export function useFieldLabelId(): string | undefined {
  return useContext(Context)?.labelId;
}

/** The error message for a field (or one within it), for `<Field error={…}>`; null if it is about another field. */
export function fieldError(error: unknown, param: string): string | null {
  if (!(error instanceof ApiError) || error.param === null) return null;
  if (error.param !== param && !error.param.startsWith(`${param}.`)) return null;
  // The server's message starts with the field's name, which the label shows already.
  const name = `${error.param}: `;
  const text = error.message.startsWith(name) ? error.message.slice(name.length) : error.message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
