import type { ReactElement } from 'react';
import { Field, MoneyInput } from '../components/index.ts';
import { complaintAbout } from './complaint.ts';
import { BUDGET_WINDOWS, type BudgetWindow, type LimitsDraft } from './limits-draft.ts';

const LABELS: Readonly<Record<BudgetWindow, string>> = {
  day: 'Per day',
  week: 'Per week',
  month: 'Per month',
  total: 'In total',
};

export interface BudgetFieldsProps {
  readonly value: LimitsDraft;
  readonly onChange: (value: LimitsDraft) => void;
  /** The error of the request; problems with a budget are shown below its field. */
  readonly error?: unknown;
  /** Whose budgets they are: `this key`. */
  readonly of: string;
}

/** The four budgets. Days, weeks and months are those of UTC. */
export function BudgetFields({ value, onChange, error, of }: BudgetFieldsProps): ReactElement {
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium">Budget</legend>
      <p className="mt-0.5 mb-2.5 text-sm text-muted">
        The most {of} can spend. Leave empty for no limit. Periods are in UTC.
      </p>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {BUDGET_WINDOWS.map((window) => (
          <Field
            key={window}
            label={<span className="font-normal">{LABELS[window]}</span>}
            error={complaintAbout(error, `limits.budgets.${window}`)}
          >
            <MoneyInput
              value={value.budgets[window]}
              onChange={(text) => onChange({ ...value, budgets: { ...value.budgets, [window]: text } })}
              placeholder="no limit"
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
