/** The key ring as an operator sees it: ids of keys, names of what is sealed, never what is in it. */
import type { SealReport } from '../credentials/key-keeper.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'keyKeeper' | 'audit'>;

export async function checkCredentials({ keyKeeper }: Pick<Services, 'keyKeeper'>) {
  return { data: describe(await keyKeeper.check()) };
}

/** Throws `GatewayError` `conflict` where the sealing key is given by the configuration. */
export async function rotateCredentials({ keyKeeper, audit }: Services) {
  const report = await keyKeeper.rotate();
  await audit({
    action: 'sealing_key.rotate',
    // The id of a key leads to nothing: commands show it.
    subject: { kind: 'sealing_key', id: report.activeKey, name: null },
    accountId: null,
    before: null,
    after: { sealed: report.sealed, unopened: report.unopened },
  });
  return { data: describe(report) };
}

function describe(report: SealReport) {
  return {
    active_key: report.activeKey,
    older_keys: report.olderKeys,
    sealed: report.sealed,
    under_active_key: report.underActiveKey,
    unopened: report.unopened,
  };
}
