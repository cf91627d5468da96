import { type ReactElement, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlAttributes } from './field.tsx';

export interface Complaint {
  /** For the `<input>` that holds its form back. */
  readonly attributes: Pick<ControlAttributes, 'aria-describedby' | 'aria-invalid'> & {
    readonly ref: RefObject<HTMLInputElement | null>;
    readonly onInvalid: () => void;
  };
  /** Below the control. */
  readonly note: ReactElement | null;
}

/**
 * What a control finds wrong with what was typed into it. While there is something, the browser submits no form with
 * it, and leads the focus here: what was typed is neither sent nor left out. A `quiet` problem is told only then.
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
