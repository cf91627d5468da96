import { type ReactElement, useState } from 'react';
import type { RangeName, RangeState } from '../navigation/use-range.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { DateTimeInput } from './date-time-input.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';

const NAMES: readonly RangeName[] = ['24h', '7d', '30d', '90d'];
const SPOKEN: Readonly<Record<RangeName, string>> = {
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
  '90d': 'last 90 days',
};

/** `<RangePicker state={useRange()} />`: the choice is in the address. */
export function RangePicker({ state }: { readonly state: RangeState }): ReactElement {
  const { range } = state;
  const [isOpen, setOpen] = useState(false);
  const [from, setFrom] = useState<string | null>(range.from);
  const [to, setTo] = useState<string | null>(range.to);
  const isValid = from !== null && to !== null && from < to;
  const open = (): void => {
    setFrom(range.from);
    setTo(range.to);
    setOpen(true);
  };
  return (
    <>
      <fieldset className="inline-flex rounded border bg-surface p-0.5" aria-label="Time">
        {NAMES.map((name) => (
          <Part
            key={name}
            label={name}
            title={SPOKEN[name]}
            chosen={range.name === name}
            onClick={() => state.setRange(name)}
          />
        ))}
        <Part label="Custom" chosen={range.name === 'custom'} onClick={open} />
      </fieldset>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Choose a time"
        width="narrow"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button
              kind="primary"
              disabled={!isValid}
              onClick={() => {
                if (!isValid) return;
                state.setCustom(from, to);
                setOpen(false);
              }}
            >
              Show
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <Field label="From">
            <DateTimeInput value={from} onChange={setFrom} />
          </Field>
          <Field
            label="To"
            error={from !== null && to !== null && from >= to ? 'This is not after the beginning.' : null}
          >
            <DateTimeInput value={to} onChange={setTo} />
          </Field>
        </div>
      </Dialog>
    </>
  );
}

interface PartProps {
  readonly label: string;
  readonly title?: string;
  readonly chosen: boolean;
  readonly onClick: () => void;
}

function Part({ label, title, chosen, onClick }: PartProps): ReactElement {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onClick}
      className={classNames(
        'h-7 rounded-sm px-2.5 text-sm',
        chosen ? 'bg-sunken font-medium text-text' : 'text-muted hover:text-text',
      )}
    >
      {label}
      {title !== undefined && <span className="sr-only"> ({title})</span>}
    </button>
  );
}
