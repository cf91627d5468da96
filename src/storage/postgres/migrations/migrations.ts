/** Every migration of the schema on PostgreSQL: those that all databases share, and those of its own. One history table has both. */
import type { Migration } from 'kysely/migration';
import { migrations } from '../../sql/migrations/migrations.ts';
import { addArchive } from '../archive/archive-migration.ts';
import { addNodes } from '../bank/nodes-migration.ts';
import { addFileChunks } from '../chunks/chunks-migration.ts';
import { postgresFlavour } from '../engine/flavour.ts';
import { addCarriedClaims } from './carried-claims-migration.ts';
import { addChargedOnce } from './charged-once-migration.ts';
import { addFollowedRows } from './followed-rows-migration.ts';
import { addFollowedSets } from './followed-sets-migration.ts';
import { addImageFunctions } from './image-functions-migration.ts';
import { addKeptIds } from './kept-ids-migration.ts';
import { addLiveRecords } from './live-records-migration.ts';
import { addLostAccounts } from './lost-accounts-migration.ts';
import { addNodeSettings } from './node-settings-migration.ts';
import { addRecords } from './records-migration.ts';
import { addSealingKeys } from './sealing-keys-migration.ts';
import { addSettling } from './settling-migration.ts';
import { addSharedFunctions } from './shared-functions.ts';
import { addShared } from './shared-migration.ts';
import { addShares } from './shares-migration.ts';
import { addSuperseded } from './superseded-migration.ts';
import { addTotals } from './totals-migration.ts';
import { addUnitFunctions } from './unit-functions-migration.ts';

export function postgresMigrations(): Readonly<Record<string, Migration>> {
  return {
    ...migrations(postgresFlavour),
    '0000_shared_functions': { up: addSharedFunctions },
    '0019_nodes': { up: addNodes },
    '0020_sealing_keys': { up: addSealingKeys },
    '0020_records': { up: addRecords },
    '0021_shared': { up: addShared },
    '0023_archive': { up: addArchive },
    '0024_live_records': { up: addLiveRecords },
    '0025_shares': { up: addShares },
    '0025_totals': { up: addTotals },
    '0026_settling': { up: addSettling },
    '0029_carried_claims': { up: addCarriedClaims },
    '0029_kept_ids': { up: addKeptIds },
    '0030_charged_once': { up: addChargedOnce },
    '0031_followed_rows': { up: addFollowedRows },
    '0032_lost_accounts': { up: addLostAccounts },
    '0033_followed_sets': { up: addFollowedSets },
    '0034_node_settings': { up: addNodeSettings },
    '0037_units_settled': { up: addUnitFunctions },
    '0038_file_chunks': { up: addFileChunks },
    '0040_input_images_settled': { up: addImageFunctions },
    '0041_superseded': { up: addSuperseded },
  };
}
