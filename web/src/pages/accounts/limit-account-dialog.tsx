import { type ReactElement, useId, useState } from 'react';
import { useChange } from '../../api/use-api.ts';
import { Button, Dialog, ErrorNote, Field, notify, TextInput } from '../../components/index.ts';
import { complaintAbout, isAboutNone } from '../../forms/complaint.ts';
import { draftOfScope, SCOPE_FIELDS, ScopeFields, scopeBody } from '../../forms/scope-fields.tsx';
import type { ListedAccount } from './account-columns.tsx';
import { RateSection } from './rate-section.tsx';
import { draftOfRates, ratesBody } from './rates-draft.ts';

export interface LimitAccountDialogProps {
  readonly account: ListedAccount;
  readonly onClose: () => void;
}

export function LimitAccountDialog({ account, onClose }: LimitAccountDialogProps): ReactElement {
  const form = useId();
  const update = useChange('limitAccount');
  const [name, setName] = useState(account.name);
  const [scope, setScope] = useState(() => draftOfScope(account));
  const [rates, setRates] = useState(() => draftOfRates(account.rates));
  const body = {
    ...(name === account.name ? {} : { name }),
    ...scopeBody(scope, account),
    rates: ratesBody(rates, account.rates),
  };
  const done = (): void => {
    notify({ title: 'Account saved', kind: 'good' });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${account.name}`}
      description="Limits apply to all keys of the account together, from the next request on."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={update.isPending}>
            Save changes
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ params: { account: account.id }, body }, { onSuccess: done });
        }}
      >
        <Field label="Name" error={complaintAbout(update.error, 'name')}>
          <TextInput value={name} onChange={setName} required maxLength={200} autoComplete="off" />
        </Field>
        <ScopeFields value={scope} onChange={setScope} error={update.error} of="this account">
          <RateSection value={rates} onChange={setRates} error={update.error} />
        </ScopeFields>
        {isAboutNone(update.error, ['name', 'rates', ...SCOPE_FIELDS]) && <ErrorNote error={update.error} />}
      </form>
    </Dialog>
  );
}
