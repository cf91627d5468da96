/** Actions of the log in words: `key.create` is `made the key`. */
import type { AuditEntry } from '../../api/types.ts';
import { formatUsdWhole } from '../../format/money.ts';

const VERBS: Readonly<Record<string, string>> = {
  create: 'made',
  update: 'changed',
  delete: 'deleted',
  revoke: 'revoked',
  rotate: 'rotated',
  close: 'closed',
  seal: 'sealed',
};

/** Those that a verb and a noun would not say well. What they are about follows. */
const WHOLE: Readonly<Record<string, string>> = {
  'balance.add': 'changed the balance by',
  'balance.refund': 'refunded',
  'bodies.delete': 'deleted the kept bodies of',
  'capture.delete': 'deleted all kept bodies of',
  'invitation.create': 'invited',
  'invitation.delete': 'took back the invitation of',
  'member.create': 'joined',
  'member.delete': 'removed the member',
  'user.create': 'joined Turnpike',
  'user.disable': 'disabled',
  'user.enable': 'enabled',
  'user.password_change': 'changed the password of',
  'user.password_reset': 'set a new password for',
  'user.recovery_codes_renew': 'made new recovery codes for',
  'user.session_end': 'ended a session of',
  'user.sign_in': 'signed in as',
  'user.totp_off': 'removed the authenticator of',
  'user.totp_on': 'set up an authenticator for',
  'user.update': 'changed the profile of',
};

/** Of oneself. */
const JOINING: ReadonlySet<string> = new Set(['member.create', 'user.create']);

/** What the filter offers: the beginning of an action, and its words. */
export const NOUN_FILTERS: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'All changes' },
  { value: 'key.', label: 'Keys' },
  { value: 'project.', label: 'Projects' },
  { value: 'member.', label: 'Members' },
  { value: 'invitation.', label: 'Invitations' },
  { value: 'account.', label: 'Account' },
  { value: 'balance.', label: 'Balance' },
  { value: 'capture.', label: 'Kept bodies' },
  { value: 'provider.', label: 'Providers' },
  { value: 'user.', label: 'People' },
];

/** `made the key`; an action without words stays as it is. */
export function describeAction(action: string): string {
  const whole = WHOLE[action];
  if (whole !== undefined) return whole;
  const [noun = '', verb = ''] = action.split('.');
  const word = VERBS[verb];
  return word === undefined ? action : `${word} the ${noun.replaceAll('_', ' ')}`;
}

/** What the action was done to, by its name; what was added to the balance, or taken from it. */
export function describeSubject({ action, actor, subject, after }: AuditEntry): string {
  // Who joins is named already.
  if (JOINING.has(action) && subject.id === String(actor.id)) return '';
  if (action === 'balance.add') return amountOf(after) ?? subject.name ?? subject.id;
  if (subject.kind === 'invitation') return subject.name ?? 'whoever has the link';
  return subject.name ?? subject.id;
}

/** Decimal text of USD, as the log keeps it. */
function amountOf(after: AuditEntry['after']): string | null {
  const amount = after?.['amount'];
  return typeof amount === 'string' || typeof amount === 'number' ? formatUsdWhole(String(amount)) : null;
}
