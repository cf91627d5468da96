import { type ReactElement, useId, useState } from 'react';
import { Button, DateTimeInput, Dialog, Field, Select } from '../../components/index.ts';
import { TIME_WORDS, type TimeFilter, type TimeName } from './use-time-filter.ts';

/** The time range of a list; "Custom…" opens a dialog. */
export function TimeSelect({ time }: { readonly time: TimeFilter }): ReactElement {
  const form = useId();
  const [isOpen, setOpen] = useState(false);
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const isBackwards = from !== null && to !== null && from >= to;
  const choose = (name: TimeName): void => {
    if (name !== 'custom') return time.setSpan(name);
    setFrom(time.from ?? null);
    setTo(time.to ?? null);
    setOpen(true);
  };
  return (
    <>
      <Select
        aria-label="Time range"
        size="small"
        className="w-40"
        value={time.name}
        onChange={choose}
        options={(Object.keys(TIME_WORDS) as TimeName[]).map((value) => ({
          value,
          label: value === 'custom' && time.name === 'custom' ? time.words : TIME_WORDS[value],
        }))}
      />
      {time.name === 'custom' && (
        <Button size="small" kind="ghost" onClick={() => choose('custom')}>
          Change
        </Button>
      )}
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Custom time range"
        width="narrow"
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" form={form} kind="primary" disabled={isBackwards}>
              Apply
            </Button>
          </>
        }
      >
        <form
          id={form}
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (isBackwards) return;
            time.setCustom(from, to);
            setOpen(false);
          }}
        >
          <Field label="From" optional>
            <DateTimeInput value={from} onChange={setFrom} />
          </Field>
          <Field label="To" optional error={isBackwards ? 'Must be later than the start.' : null}>
            <DateTimeInput value={to} onChange={setTo} />
          </Field>
        </form>
      </Dialog>
    </>
  );
}
