/** The key ring as an operator sees it: ids of keys, names of what is sealed, never what is in it. */
import type { SealReport } from '../credentials/key-keeper.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'keyKeeper'>;

export async function checkCredentials({ keyKeeper }: Services) {
  return { data: describe(await keyKeeper.check()) };
}

/** Throws `GatewayError` `conflict` where the sealing key is given by the configuration. */
export async function rotateCredentials({ keyKeeper }: Services) {
  return { data: describe(await keyKeeper.rotate()) };
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
