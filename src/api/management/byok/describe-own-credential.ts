/** An own credential in answers and in the audit log. Neither has its secret. */
import type { Project } from '../../../accounts/ports.ts';
import type { OwnCredentialEntry } from '../../../byok/own-credential-entry.ts';
import type { OwnStanding, StoredOwnCredential } from '../../../byok/ports.ts';
import { isoTime } from '../../../core/calendar.ts';
import type { ConnectionReport } from '../../../probe/test-connection.ts';
import { describeOptions } from '../providers/describe-provider.ts';

export function describeOwnCredential({ stored, problem }: OwnCredentialEntry, project: Project | null) {
  return {
    id: stored.id,
    name: stored.name,
    provider: stored.kind,
    label: `…${stored.hint ?? ''}`,
    disabled: !stored.enabled,
    standing: stored.standing,
    standing_at: isoTime(stored.standingAt),
    problem,
    use: stored.use,
    fallback: stored.fallback,
    allowed_models: stored.models === null ? null : [...stored.models],
    base_url: stored.origin,
    options: describeOptions(stored.options),
    project: project === null ? null : { id: project.id, name: project.name },
    previous_until: isoTime(stored.previousUntil),
    created_at: new Date(stored.createdAt).toISOString(),
    updated_at: new Date(stored.updatedAt).toISOString(),
    created_by: stored.createdBy,
    workspace_id: stored.projectId === null ? null : String(stored.projectId),
    sort_order: stored.position,
    is_required: stored.use === 'only',
    is_fallback: false as const,
    is_byok_only: false as const,
    allowed_api_key_hashes: null,
    allowed_user_ids: null,
    declared_zdr: null,
  };
}

/** `hint` has the last characters of the secret only; names like `credential` would be hidden. */
export function audited({
  kind,
  name,
  origin,
  options,
  models,
  use,
  fallback,
  enabled,
  hint,
  previousUntil,
}: StoredOwnCredential) {
  return {
    provider: kind,
    name,
    base_url: origin,
    options: describeOptions(options),
    allowed_models: models,
    use,
    fallback,
    disabled: !enabled,
    hint,
    previous_until: isoTime(previousUntil),
  };
}

export function subjectOf({ id, name }: StoredOwnCredential) {
  return { kind: 'own_credential', id, name };
}

/** What a test says about a credential. */
export function standingOf({ ok, status }: ConnectionReport): OwnStanding {
  if (ok) return 'good';
  if (status === 401 || status === 403) return 'rejected';
  return status === 429 ? 'limited' : 'unreachable';
}
