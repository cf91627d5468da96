import type { ReactElement } from 'react';
import { Button } from '../../components/index.ts';

export interface FoundModelsProps {
  readonly names: readonly string[];
  readonly loading: boolean;
  /** Asks for a price first. */
  readonly onPrice: (name: string) => void;
  readonly onFree: (name: string) => void;
}

/** Models found by a test, each with buttons to add it. A price, or free, has to be chosen. Renders nothing without any. */
export function FoundModels({ names, loading, onPrice, onFree }: FoundModelsProps): ReactElement | null {
  if (names.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        The test found these models. Add the ones you want to use, with a price or for free.
      </p>
      <ul className="max-h-72 divide-y overflow-y-auto rounded border">
        {names.map((name) => (
          <li key={name} className="flex flex-wrap items-center gap-2 py-1.5 pr-2 pl-3">
            <span className="min-w-32 flex-1 font-mono text-sm wrap-anywhere">{name}</span>
            <Button size="small" aria-label={`Add ${name} with a price`} onClick={() => onPrice(name)}>
              Add with a price
            </Button>
            <Button size="small" aria-label={`Add ${name} free`} disabled={loading} onClick={() => onFree(name)}>
              Add free
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
