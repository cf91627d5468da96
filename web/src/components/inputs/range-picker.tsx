import { type ReactElement, useState } from 'react';
import { zoneName } from '../../format/zone.ts';
import { RANGE_NAMES, type RangeName } from '../../navigation/range-time.ts';
import type { Range, RangeState } from '../../navigation/use-range.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Icon } from '../icon.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { DateTimeInput } from './date-time-input.tsx';
import { Field } from './field.tsx';
import { ZoneSwitch } from './zone-switch.tsx';

/** Always visible; the others are in a list. */
const SHORT: readonly RangeName[] = ['1h', '24h', '7d', '30d'];
const LONG = RANGE_NAMES.filter((name) => !SHORT.includes(name));
const WORDS: Readonly<Record<RangeName, string>> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  today: 'Today',
  month: 'This month',
  last_month: 'Last month',
  '90d': 'Last 90 days',
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
      <div className="flex flex-wrap items-center gap-2">
        <fieldset className="inline-flex rounded border bg-surface p-0.5" aria-label="Time range">
          {SHORT.map((name) => (
            <Part
              key={name}
              label={name}
              title={WORDS[name].toLowerCase()}
              chosen={range.name === name}
              onClick={() => state.setRange(name)}
            />
          ))}
          <More name={range.name} choose={(name) => (name === 'custom' ? open() : state.setRange(name))} />
        </fieldset>
        {range.name === 'custom' && (
          <Button size="small" kind="ghost" onClick={open}>
            Change
          </Button>
        )}
        <ZoneSwitch />
      </div>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Custom time range"
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
              Apply
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <p className="text-sm text-muted">Times are in {zoneName()} time.</p>
          <Field label="From">
            <DateTimeInput value={from} onChange={setFrom} />
          </Field>
          <Field label="To" error={from !== null && to !== null && from >= to ? 'Must be later than the start.' : null}>
            <DateTimeInput value={to} onChange={setTo} />
          </Field>
        </div>
      </Dialog>
    </>
  );
}

interface MoreProps {
  readonly name: Range['name'];
  readonly choose: (name: Range['name']) => void;
}

/** The last part: the browser's own list. */
function More({ name, choose }: MoreProps): ReactElement {
  const isChosen = name === 'custom' || LONG.includes(name);
  return (
    <span className="relative inline-flex items-center">
      <select
        aria-label="More time ranges"
        value={isChosen ? name : ''}
        onChange={(event) => choose(event.target.value as Range['name'])}
        className={classNames(
          'h-7 cursor-pointer appearance-none rounded-sm pr-7 pl-2.5 text-sm',
          isChosen ? 'bg-sunken font-medium text-text' : 'bg-transparent text-muted hover:text-text',
        )}
      >
        {!isChosen && (
          <option value="" disabled>
            More
          </option>
        )}
        {LONG.map((each) => (
          <option key={each} value={each}>
            {WORDS[each]}
          </option>
        ))}
        <option value="custom">Custom…</option>
      </select>
      <Icon name="down" className="pointer-events-none absolute right-2 size-3.5 text-muted" />
    </span>
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
