/** Limits and permissions of a key, a project or an account: budgets visible, the rest in sections that summarise what is set. */
import type { ReactElement, ReactNode } from 'react';
import type { Limits, Permissions } from '../api/types.ts';
import { AddressFields } from './address-fields.tsx';
import { BudgetFields } from './budget-fields.tsx';
import { complaintAbout } from './complaint.ts';
import { describePermissions, describeRates } from './describe.ts';
import {
  BUDGET_WINDOWS,
  draftOfLimits,
  type LimitsBody,
  type LimitsDraft,
  limitsBody,
  NO_LIMITS,
  RATES,
} from './limits-draft.ts';
import { ModelFields } from './model-fields.tsx';
import {
  draftOfPermissions,
  LISTS,
  NO_PERMISSIONS,
  type PermissionsBody,
  type PermissionsDraft,
  permissionsBody,
} from './permissions-draft.ts';
import { RateFields } from './rate-fields.tsx';
import { Section } from './section.tsx';

export interface ScopeDraft {
  readonly limits: LimitsDraft;
  readonly permissions: PermissionsDraft;
}

export interface Scope {
  readonly limits: Limits;
  readonly permissions: Permissions;
}

/** For a new one. */
export const NO_SCOPE: Scope = { limits: NO_LIMITS, permissions: NO_PERMISSIONS };

/** The fields that show the server's errors themselves. */
export const SCOPE_FIELDS: readonly string[] = [
  ...BUDGET_WINDOWS.map((window) => `limits.budgets.${window}`),
  ...RATES.map((rate) => `limits.${rate}`),
  ...LISTS.map((list) => `permissions.${list}`),
];

export function draftOfScope({ limits, permissions }: Scope): ScopeDraft {
  return { limits: draftOfLimits(limits), permissions: draftOfPermissions(permissions) };
}

/** For a request body: only what differs from `before`. */
export function scopeBody(
  draft: ScopeDraft,
  before: Scope = NO_SCOPE,
): { readonly limits: LimitsBody; readonly permissions: PermissionsBody } {
  return {
    limits: limitsBody(draft.limits, before.limits),
    permissions: permissionsBody(draft.permissions, before.permissions),
  };
}

export interface ScopeFieldsProps {
  readonly value: ScopeDraft;
  readonly onChange: (value: ScopeDraft) => void;
  readonly error?: unknown;
  /** Whose limits they are: `this key`. */
  readonly of: string;
  /** A management key calls no models: no budget, no rates, no models. */
  readonly addressesOnly?: boolean;
  /** More sections, right below these. */
  readonly children?: ReactNode;
}

export function ScopeFields({
  value,
  onChange,
  error,
  of,
  addressesOnly = false,
  children,
}: ScopeFieldsProps): ReactElement {
  const changeLimits = (limits: LimitsDraft): void => onChange({ ...value, limits });
  const changePermissions = (permissions: PermissionsDraft): void => onChange({ ...value, permissions });
  const { models_allow, models_deny, operations, ips } = value.permissions;
  const models = describePermissions({
    ...NO_PERMISSIONS,
    models_allow: orNull(models_allow),
    models_deny: orNull(models_deny),
    operations: orNull(operations),
  });
  const isWrong = (...fields: readonly string[]): boolean =>
    fields.some((field) => complaintAbout(error, field) !== null);
  return (
    <>
      {!addressesOnly && <BudgetFields value={value.limits} onChange={changeLimits} error={error} of={of} />}
      <div>
        {!addressesOnly && (
          <>
            <Section
              title="Rate limits"
              summary={describeRates(value.limits.rates).join(', ') || 'no limit'}
              hasError={isWrong(...RATES.map((rate) => `limits.${rate}`))}
            >
              <RateFields value={value.limits} onChange={changeLimits} error={error} />
            </Section>
            <Section
              title="Models"
              summary={models.join(', ') || 'all'}
              hasError={isWrong('permissions.models_allow', 'permissions.models_deny', 'permissions.operations')}
            >
              <ModelFields value={value.permissions} onChange={changePermissions} error={error} />
            </Section>
          </>
        )}
        <Section
          title="IP addresses"
          summary={ips.length === 0 ? 'any' : ips.join(', ')}
          hasError={isWrong('permissions.ips')}
        >
          <AddressFields value={value.permissions} onChange={changePermissions} error={error} />
        </Section>
        {children}
      </div>
    </>
  );
}

function orNull(list: readonly string[]): readonly string[] | null {
  return list.length === 0 ? null : list;
}
