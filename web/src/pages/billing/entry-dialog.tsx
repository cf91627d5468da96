import { type ReactElement, useId, useState } from 'react';
import { useAccount } from '../../api/session.ts';
import { useChange } from '../../api/use-api.ts';
import {
  Button,
  Dialog,
  ErrorNote,
  Field,
  fieldError,
  MoneyInput,
  notify,
  RadioCards,
  TextArea,
  TextInput,
} from '../../components/index.ts';
import { formatUsd, formatUsdWhole } from '../../format/money.ts';
import { amountOf } from './money-text.ts';
import { newReference } from './reference.ts';

export type EntryKind = 'topup' | 'promo' | 'adjustment';

const KINDS: readonly { readonly value: EntryKind; readonly title: string; readonly description: string }[] = [
  { value: 'topup', title: 'Top-up', description: 'A payment received.' },
  { value: 'promo', title: 'Promo', description: 'Free credit.' },
  { value: 'adjustment', title: 'Adjustment', description: 'A correction, positive or negative.' },
];

/** Adds credit to the account of the page, or corrects its balance. For operators. */
export function EntryDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const form = useId();
  const account = useAccount();
  const [kind, setKind] = useState<EntryKind>('topup');
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState(() => newReference('topup'));
  const [isOwnReference, setOwnReference] = useState(false);
  const [note, setNote] = useState('');
  const add = useChange('addEntry');
  const ready = amountOf(amount);
  const choose = (next: EntryKind): void => {
    setKind(next);
    if (!isOwnReference) setReference(newReference(next));
  };
  const submit = (usd: string): void =>
    add.mutate(
      { body: { kind, amount: usd, reference: reference.trim(), note: note.trim() || null } },
      {
        onSuccess: ({ data, is_new, balance }) => {
          notify(
            is_new
              ? {
                  title: `${formatUsd(data.amount)} posted`,
                  description: `The balance is now ${formatUsd(balance.balance)}.`,
                  kind: 'good',
                }
              : { title: 'Nothing posted', description: 'An entry with this reference already exists.' },
          );
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={account === null ? 'Add credit' : `Add credit to ${account.name}`}
      description="Entries cannot be changed later."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            kind="primary"
            disabled={ready === null || reference.trim() === ''}
            loading={add.isPending}
          >
            Post entry
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready !== null && !add.isPending) submit(ready);
        }}
      >
        <RadioCards label="Kind" value={kind} onChange={choose} options={KINDS} columns={3} />
        <Field
          label="Amount"
          hint={kind === 'adjustment' ? 'Use a minus sign to subtract: -1.50' : undefined}
          error={fieldError(add.error, 'amount')}
        >
          <MoneyInput value={amount} onChange={setAmount} signed={kind === 'adjustment'} placeholder="20.00" />
        </Field>
        <Field
          label="Reference"
          hint="An invoice or payment number. An entry with the same reference is posted only once."
          error={fieldError(add.error, 'reference')}
        >
          <TextInput
            value={reference}
            onChange={(text) => {
              setReference(text);
              setOwnReference(true);
            }}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label="Note" optional error={fieldError(add.error, 'note')}>
          <TextArea value={note} onChange={setNote} rows={2} maxLength={1000} />
        </Field>
        <p aria-live="polite" className="figures min-h-5 font-medium">
          {ready !== null && whatItDoes(ready)}
        </p>
        <ErrorNote error={add.error} />
      </form>
    </Dialog>
  );
}

/** To be read once more before it is entered: every digit, with signs for thousands. */
function whatItDoes(amount: string): string {
  return amount.startsWith('-')
    ? `Subtracts ${formatUsdWhole(amount.slice(1))} from the balance.`
    : `Adds ${formatUsdWhole(amount)} to the balance.`;
}
