/** Warns of fields of a request that are not read. */
import { warnOfLeftOut } from '../../kit/request/left-out-fields.ts';

export const warnOfUnknown = warnOfLeftOut;
