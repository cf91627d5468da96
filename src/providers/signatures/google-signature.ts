/** Requests to Google Cloud, with the token of a service account, or with an access token that the operator replaces. */
import { bearer, type Signature } from '../signature.ts';
import { fetchGoogleToken, readServiceAccount } from './service-account.ts';
import { TokenSigner } from './token-signer.ts';

export const googleSignature: Signature = {
  name: 'bearer token',
  open(credential, around) {
    const account = readServiceAccount(credential.reveal());
    if (account === null) return bearer.open(credential, around);
    const { outside } = around;
    // The key of the account is not sent to anyone, so nobody can repeat it.
    return new TokenSigner({ clock: outside.clock, fetch: () => fetchGoogleToken(account, outside) }, []);
  },
};
