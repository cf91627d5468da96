/** Creates the services for sign-in and sign-up, with what they share. */
import type { Clock } from '../core/clock.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Transactions } from '../core/transactions.ts';
import { AcceptInvitation } from './accept-invitation.ts';
import type { AttemptCounts } from './attempt-counts.ts';
import { Attempts } from './attempts.ts';
import { BackgroundWork } from './background-work.ts';
import { ChangePassword } from './change-password.ts';
import { Devices } from './devices.ts';
import type { InvitingKeys } from './inviting-keys.ts';
import { Links } from './links.ts';
import { GentleMailer, invitationMail, type Mailer } from './mails.ts';
import { MemoryAttempts } from './memory-attempts.ts';
import { NewMembers, type Scopes } from './new-member.ts';
import { Passwords } from './password.ts';
import type { AttemptStore, MembershipStore, UserStore } from './ports.ts';
import { SecondFactor } from './second-factor/second-factor.ts';
import { Sessions } from './sessions.ts';
import { SetUp } from './set-up.ts';
import { SharedAttempts } from './shared-attempts.ts';
import { SignIn } from './sign-in.ts';
import { SignUp, type SignUpRule } from './sign-up.ts';

/** The inviter waits for it; well below the time after which a creation counts as abandoned. */
const MAIL_PATIENCE_MS = 10_000;

export interface SignInServicesParts {
  readonly users: UserStore;
  readonly memberships: Pick<MembershipStore, 'putMembership' | 'membershipsOf'>;
  readonly scopes: Scopes;
  readonly transactions: Transactions;
  readonly keys: InvitingKeys;
  readonly seal: Sealer;
  /** Null if no mail server is configured: then people pass links on themselves. */
  readonly mailer: Mailer | null;
  readonly clock: Clock;
  /** The base URL for browsers, without a trailing `/`; never taken from a request. */
  readonly publicUrl: () => string;
  readonly signUpRule: SignUpRule;
  /** Receives problems that are not reported to a caller, such as a rejected email, without its text. Must not throw. */
  readonly onProblem: (message: string, cause: unknown) => void;
  /** With other nodes: counts attempts for all of them. */
  readonly attemptStore?: AttemptStore | null;
  /** For tests, with a lower hashing cost. */
  readonly passwords?: Passwords;
}

export class SignInServices {
  readonly sessions: Sessions;
  readonly links: Links;
  readonly attempts: Attempts;
  /** What attempts and invitations are counted in. */
  readonly counts: AttemptCounts;
  readonly devices: Devices;
  readonly passwords: Passwords;
  readonly secondFactor: SecondFactor;
  readonly signIn: SignIn;
  readonly signUp: SignUp;
  readonly setUp: SetUp;
  readonly changePassword: ChangePassword;
  readonly acceptInvitation: AcceptInvitation;
  /** Work that runs after answers; await it before the storage closes. */
  readonly background: BackgroundWork;
  /** Sends a few emails at a time; null if no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly #onProblem: SignInServicesParts['onProblem'];
  readonly #clock: Clock;

  constructor(parts: SignInServicesParts) {
    const { users, transactions, clock, seal, publicUrl, signUpRule, onProblem } = parts;
    const passwords = parts.passwords ?? new Passwords();
    const background = new BackgroundWork(onProblem);
    const { attemptStore = null } = parts;
    const counts = attemptStore === null ? new MemoryAttempts(clock) : new SharedAttempts(attemptStore, clock);
    const attempts = new Attempts(counts);
    const devices = new Devices(seal);
    const mailer = parts.mailer === null ? null : new GentleMailer(parts.mailer);
    const sessions = new Sessions({ users, clock, onProblem });
    const links = new Links({ users, clock, publicUrl });
    const newMembers = new NewMembers(parts);
    const { keys } = parts;
    const shared = {
      users,
      keys,
      sessions,
      links,
      newMembers,
      passwords,
      attempts,
      devices,
      background,
      transactions,
      mailer,
      publicUrl,
    };
    const all = { ...shared, rule: signUpRule, now: () => clock.now() };
    this.#onProblem = onProblem;
    this.#clock = clock;
    this.sessions = sessions;
    this.links = links;
    this.attempts = attempts;
    this.counts = counts;
    this.devices = devices;
    this.passwords = passwords;
    this.background = background;
    this.mailer = mailer;
    this.secondFactor = new SecondFactor({ users, seal, clock, attempts, passwords, devices, transactions });
    this.signIn = new SignIn({ ...shared, secondFactor: this.secondFactor });
    this.signUp = new SignUp(all);
    this.setUp = new SetUp(all);
    this.changePassword = new ChangePassword(all);
    this.acceptInvitation = new AcceptInvitation(all);
  }

  /**
   * Whether it was emailed: false if no mail server is configured, if it rejected the email (which is reported), or if it has not accepted
   * it within ten seconds, in which case it still may.
   */
  async mailInvitation({ to, account, url }: { to: string; account: string; url: string }): Promise<boolean> {
    if (this.mailer === null) return false;
    const sent = this.mailer.send(invitationMail(to, account, url)).then(
      () => true,
      (error: unknown) => {
        this.#onProblem('an invitation could not be mailed', error);
        return false;
      },
    );
    const late = Promise.withResolvers<false>();
    const timer = this.#clock.after(MAIL_PATIENCE_MS, () => late.resolve(false));
    const mailed = await Promise.race([sent, late.promise]);
    timer.cancel();
    return mailed;
  }

  /** Deletes expired sessions and links. Call it about once an hour. */
  async sweep(): Promise<void> {
    await this.sessions.sweep();
    await this.links.sweep();
  }
}
