/** Handlers for the key ring: check it, and rotate its key. */
import type { KeyKeeper, SealReport } from '../../../credentials/key-keeper.ts';
import type { credentialRoutes } from '../../contract/credentials.ts';
import type { Handlers } from '../door/handler.ts';

export interface CredentialServices {
  readonly keyKeeper: Pick<KeyKeeper, 'check' | 'rotate'>;
}

export function credentialHandlers({ keyKeeper }: CredentialServices): Handlers<typeof credentialRoutes> {
  return {
    checkCredentials: async () => ({ data: describe(await keyKeeper.check()) }),

    // Throws `conflict` if the sealing key is set in the configuration.
    rotateCredentials: async (context) => {
      const report = await keyKeeper.rotate(async ({ activeKey, sealed, unopened }) => {
        await context.checkStill();
        await context.audit({
          action: 'sealing_key.rotate',
          // The id reveals nothing about the key: commands show it.
          subject: { kind: 'sealing_key', id: activeKey, name: null },
          accountId: null,
          before: null,
          after: { sealed, unopened },
        });
      });
      return { data: describe(report) };
    },
  };
}

function describe(report: SealReport) {
  return {
    active_key: report.activeKey,
    older_keys: report.olderKeys,
    sealed: report.sealed,
    under_active_key: report.underActiveKey,
    unopened: [...report.unopened],
  };
}
