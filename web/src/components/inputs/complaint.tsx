import { type ReactElement, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlAttributes } from './field.tsx';

export interface Complaint {
  /** For the `<input>` that blocks its form. */
  readonly attributes: Pick<ControlAttributes, 'aria-describedby' | 'aria-invalid'> & {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly onInvalid: () => void;
  };
  /** Below the control. */
  readonly note: ReactElement | null;
}

/**
 * What is wrong with the input of a control. While there is something, the browser submits no form with
 * it, and moves the focus here: the input is neither sent nor dropped. A `quiet` problem is shown only then.
 */
export function useComplaint(
  problem: string | null,
  { quiet = false, control }: { readonly quiet?: boolean; readonly control: ControlAttributes },
): Complaint {
  const ref = useRef<HTMLInputElement>(null);
  const id = useId();
  const [refused, setRefused] = useState<string | null>(null);
  useLayoutEffect(() => ref.current?.setCustomValidity(problem ?? ''), [problem]);
  const isTold = problem !== null && (!quiet || refused === problem);
  const describedBy = [control['aria-describedby'], isTold && id].filter(Boolean).join(' ');
  return {
    attributes: {
      ref,
      onInvalid: () => setRefused(problem),
      ...(isTold ? { 'aria-invalid': true } : {}),
      ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    },
    note: isTold ? (
      <div id={id} role="alert" className="mt-1 text-sm text-bad-text">
        {problem}
      </div>
    ) : null,
  };
}
