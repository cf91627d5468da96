/** Which routes are about an account, and so take `?account=`. */
import type { RouteName, Routes } from './types.ts';

type AboutAnAccount = {
  // A query without any field has every text for a key.
  [Name in RouteName]: string extends keyof Routes[Name]['query']
    ? never
    : 'account' extends keyof Routes[Name]['query']
      ? Name
      : never;
}[RouteName];

/** The others. The type makes this table complete: a new route without an account must be listed. */
const WITHOUT_ACCOUNT: Readonly<Record<Exclude<RouteName, AboutAnAccount>, true>> = {
  readSession: true,
  signIn: true,
  signInWithCode: true,
  signOut: true,
  readLink: true,
  setUp: true,
  signUp: true,
  confirmEmail: true,
  acceptInvitation: true,
  forgotPassword: true,
  resetPassword: true,
  readProfile: true,
  updateProfile: true,
  changePassword: true,
  startTotp: true,
  confirmTotp: true,
  removeTotp: true,
  renewRecoveryCodes: true,
  listSessions: true,
  endSession: true,
  endOtherSessions: true,
  listAccounts: true,
  createAccount: true,
  limitAccount: true,
  listPeople: true,
  updatePerson: true,
  createInstallationAlias: true,
  updateInstallationAlias: true,
  deleteInstallationAlias: true,
  listProviderKinds: true,
  listProviders: true,
  createProvider: true,
  updateProvider: true,
  deleteProvider: true,
  addProviderCredential: true,
  removeProviderCredential: true,
  testProvider: true,
  tryProvider: true,
  readProviderHealth: true,
  readLoad: true,
  listNodes: true,
  listModelPrices: true,
  importModelPrices: true,
  pinModelPrices: true,
};

export function takesAccount(name: RouteName): boolean {
  return !Object.hasOwn(WITHOUT_ACCOUNT, name);
}
