import { Fragment, type ReactElement, type ReactNode } from 'react';

export interface FactsProps {
  /** In their order; those with an undefined value are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and values of one thing, in two columns. */
export function Facts({ facts }: FactsProps): ReactElement {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] sm:grid-cols-[9rem_minmax(0,1fr)] gap-x-4 gap-y-2.5">
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
