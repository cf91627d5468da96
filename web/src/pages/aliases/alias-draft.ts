/** An alias while it is being edited. */
import type { Alias } from '../../api/types.ts';

export interface TargetDraft {
  /** Of the row, while it is shown. */
  readonly row: number;
  /** Null: not chosen yet. */
  readonly model: string | null;
  /** Empty: any provider that serves the model. */
  readonly provider: string;
  readonly weight: number | null;
}

export interface AliasDraft {
  readonly name: string;
  /** `installation`, `account`, or a project's id. */
  readonly scope: string;
  readonly choice: Alias['choice'];
  readonly targets: readonly TargetDraft[];
}

export const ACCOUNT_SCOPE = 'account';
export const INSTALLATION_SCOPE = 'installation';

/** Null starts a new one. */
export function draftOf(alias: Alias | null): AliasDraft {
  if (alias === null) return { name: '', scope: ACCOUNT_SCOPE, choice: 'key', targets: [emptyTarget(0)] };
  const { name, scope, project, choice, targets } = alias;
  return {
    name,
    scope: project === null ? scope : String(project.id),
    choice,
    targets: targets.map(({ model, provider, weight }, row) => ({ row, model, provider: provider ?? '', weight })),
  };
}

export function emptyTarget(row: number): TargetDraft {
  return { row, model: null, provider: '', weight: 1 };
}

/** As the API takes it; rows without a model are left out. */
export function aliasBody({ name, choice, targets }: AliasDraft) {
  return {
    name: name.trim(),
    choice,
    targets: targets.flatMap(({ model, provider, weight }) =>
      model === null ? [] : { model, provider: provider === '' ? null : provider, weight: weight ?? 0 },
    ),
  };
}

/** Of the requests, in percent with at most one decimal: `95 %`; null without any weight. */
export function shareText(weight: number | null, all: readonly { readonly weight: number | null }[]): string | null {
  const total = all.reduce((sum, each) => sum + (each.weight ?? 0), 0);
  if (total === 0) return null;
  const share = ((weight ?? 0) / total) * 100;
  if (share > 0 && share < 0.1) return '< 0.1 %';
  return `${Number(share.toFixed(1))} %`;
}
