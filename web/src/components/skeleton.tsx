import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';

/** Reserves the space of loading content; visible only after 120 ms. Pass a height. */
export function Skeleton({ className }: { readonly className?: string }): ReactElement {
  return <div aria-hidden="true" className={classNames('skeleton rounded bg-sunken', className)} />;
}

/** Some lines of a text or a form. */
export function SkeletonLines({ lines = 3 }: { readonly lines?: number }): ReactElement {
  return (
    <div className="flex flex-col gap-3" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} className={classNames('h-4', line === lines - 1 ? 'w-1/2' : 'w-full')} />
      ))}
    </div>
  );
}
