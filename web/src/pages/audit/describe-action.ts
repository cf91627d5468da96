/** Actions of the log in words: `key.create` is `created key`. */
import type { AuditEntry } from '../../api/types.ts';
import { formatUsdWhole } from '../../format/money.ts';

const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  revoke: 'revoked',
  rotate: 'rotated',
  close: 'closed',
  seal: 'sealed',
  import: 'imported',
  pin: 'pinned',
  unpin: 'unpinned',
};

/** Actions that need more than a verb and a noun. The subject follows. */
const WHOLE: Readonly<Record<string, string>> = {
  'balance.add': 'changed the balance by',
  'balance.refund': 'refunded',
  'batch.cancel': 'cancelled batch',
  'bodies.delete': 'deleted the stored prompt and response of',
  'capture.delete': 'deleted all stored prompts and responses of',
  'invitation.create': 'invited',
  'invitation.delete': 'cancelled the invitation of',
  'member.create': 'joined',
  'member.delete': 'removed member',
  'user.create': 'joined Turnpike',
  'user.disable': 'disabled',
  'user.enable': 'enabled',
  'user.password_change': 'changed the password of',
  'user.password_reset': 'reset the password of',
  'user.recovery_codes_renew': 'created new recovery codes for',
  'user.session_end': 'ended a session of',
  'user.sign_in': 'signed in as',
  'user.totp_off': 'removed the authenticator of',
  'user.totp_on': 'set up an authenticator for',
  'user.update': 'updated the profile of',
};

/** Actions whose subject is the actor. */
const JOINING: ReadonlySet<string> = new Set(['member.create', 'user.create']);

/** Options of the filter: a prefix of the action, and its label. */
export const NOUN_FILTERS: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'All changes' },
  { value: 'key.', label: 'API keys' },
  { value: 'batch.', label: 'Batches' },
  { value: 'project.', label: 'Projects' },
  { value: 'alias.', label: 'Aliases' },
  { value: 'member.', label: 'Members' },
  { value: 'invitation.', label: 'Invitations' },
  { value: 'account.', label: 'Account' },
  { value: 'balance.', label: 'Balance' },
  { value: 'capture.', label: 'Stored prompts and responses' },
  { value: 'provider.', label: 'Providers' },
  { value: 'model_price.', label: 'Prices of models' },
  { value: 'user.', label: 'People' },
];

/** `created key`; unknown actions stay as they are. */
export function describeAction(action: string): string {
  const whole = WHOLE[action];
  if (whole !== undefined) return whole;
  const [noun = '', verb = ''] = action.split('.');
  const word = VERBS[verb];
  return word === undefined ? action : `${word} ${noun.replaceAll('_', ' ')}`;
}

/** The subject of an action, by name; for the balance, the amount. */
export function describeSubject({ action, actor, subject, after }: AuditEntry): string {
  // A person who joins is named already.
  if (JOINING.has(action) && subject.id === String(actor.id)) return '';
  if (action === 'balance.add') return amountOf(after) ?? subject.name ?? subject.id;
  if (subject.kind === 'invitation') return subject.name ?? 'anyone with the link';
  return subject.name ?? subject.id;
}

/** Decimal text in USD, as in the log. */
function amountOf(after: AuditEntry['after']): string | null {
  const amount = after?.['amount'];
  return typeof amount === 'string' || typeof amount === 'number' ? formatUsdWhole(String(amount)) : null;
}
