import { type ReactElement, useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import {
  Button,
  Dialog,
  ErrorNote,
  Field,
  fieldError,
  MoneyInput,
  notify,
  TextArea,
  TextInput,
} from '../../components/index.ts';
import { formatUsd, formatUsdWhole } from '../../format/money.ts';
import { amountOf } from './money-text.ts';
import { newReference } from './reference.ts';

interface RefundDialogProps {
  /** `gen-…`; empty where it has to be typed. */
  readonly call: string;
  /** What the call was charged, where that is known. */
  readonly charge?: number;
  readonly onClose: () => void;
}

/** Refunds the charge of a call, or a part of it. For operators. */
export function RefundDialog({ call: known, charge, onClose }: RefundDialogProps): ReactElement {
  const form = useId();
  const [call, setCall] = useState(known);
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState(() => newReference('refund'));
  const [note, setNote] = useState('');
  const refund = useChange('refundCall');
  const exact = amountOf(amount);
  const isReady = call.trim() !== '' && reference.trim() !== '' && (amount === '' || exact !== null);
  const submit = (): void =>
    refund.mutate(
      {
        body: { call: call.trim(), amount: exact, reference: reference.trim(), note: note.trim() || null },
      },
      {
        onSuccess: ({ data, is_new }) => {
          notify(
            is_new
              ? { title: `${formatUsd(data.amount)} refunded`, kind: 'good' }
              : { title: 'Nothing posted', description: 'A refund with this reference already exists.' },
          );
          onClose();
        },
      },
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title="Refund request"
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={!isReady} loading={refund.isPending}>
            Refund
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !refund.isPending) submit();
        }}
      >
        {known === '' ? (
          <Field label="Generation ID or request ID" error={fieldError(refund.error, 'call')}>
            <TextInput
              value={call}
              onChange={setCall}
              mono
              placeholder="gen-… or req_…"
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ) : (
          <p className="font-mono text-sm break-all text-muted">{known}</p>
        )}
        <Field
          label="Amount"
          optional
          hint={
            charge === undefined
              ? 'Leave empty to refund the rest of the charge.'
              : `Leave empty to refund the rest of ${formatUsd(charge)}.`
          }
          error={fieldError(refund.error, 'amount')}
        >
          <MoneyInput value={amount} onChange={setAmount} />
        </Field>
        <Field
          label="Reference"
          hint="A refund with the same reference is posted only once."
          error={fieldError(refund.error, 'reference')}
        >
          <TextInput value={reference} onChange={setReference} maxLength={200} autoComplete="off" spellCheck={false} />
        </Field>
        <Field label="Note" optional error={fieldError(refund.error, 'note')}>
          <TextArea value={note} onChange={setNote} rows={2} maxLength={1000} />
        </Field>
        <p aria-live="polite" className="figures min-h-5 font-medium">
          {exact !== null && `Refunds ${formatUsdWhole(exact)}.`}
        </p>
        <ErrorNote error={refund.error} />
      </form>
    </Dialog>
  );
}
