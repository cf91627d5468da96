/**
 * The columns of a settlement and of a hold, declared once: rows are read, written, recovered, archived, exported and
 * verified by this list, in this order. Add a new column at its end and in a migration, not null with the default 0 (months that are sealed
 * do not have it, and it reads as 0 there), and its field to `Settlement`.
 */
import type { AccountId, CallId, KeyId, PriceVersionId, ProjectId } from '../../../core/ids.ts';
import type { Money } from '../../../core/money.ts';
import type { Rate } from '../../../core/rates/rate.ts';
import type { Ending, Settlement } from '../../../core/settlement.ts';
import type { Usage, UsageSource } from '../../../core/usage.ts';

const declared = [
  { column: 'call_id', field: 'callId', kind: 'callId', nullable: false },
  { column: 'admitted_at', field: 'admittedAt', kind: 'count', nullable: false },
  { column: 'account_id', field: 'accountId', kind: 'accountId', nullable: false },
  { column: 'project_id', field: 'projectId', kind: 'projectId', nullable: false },
  { column: 'key_id', field: 'keyId', kind: 'keyId', nullable: false },
  { column: 'operation', field: 'operation', kind: 'name', nullable: false },
  { column: 'model', field: 'model', kind: 'name', nullable: false },
  { column: 'provider', field: 'provider', kind: 'name', nullable: false },
  { column: 'input_tokens', field: 'usage.inputTokens', kind: 'count', nullable: false },
  { column: 'cache_read_tokens', field: 'usage.cacheReadTokens', kind: 'count', nullable: false },
  { column: 'cache_write_tokens', field: 'usage.cacheWriteTokens', kind: 'count', nullable: false },
  { column: 'cache_write_1h_tokens', field: 'usage.cacheWrite1hTokens', kind: 'count', nullable: false },
  { column: 'input_audio_tokens', field: 'usage.inputAudioTokens', kind: 'count', nullable: false },
  { column: 'output_tokens', field: 'usage.outputTokens', kind: 'count', nullable: false },
  { column: 'output_audio_tokens', field: 'usage.outputAudioTokens', kind: 'count', nullable: false },
  { column: 'reasoning_tokens', field: 'usage.reasoningTokens', kind: 'count', nullable: false },
  { column: 'web_searches', field: 'usage.webSearches', kind: 'count', nullable: false },
  { column: 'usage_source', field: 'usageSource', kind: 'usageSource', nullable: false },
  { column: 'price_version', field: 'priceVersion', kind: 'priceVersion', nullable: true },
  { column: 'cost_nano', field: 'cost', kind: 'money', nullable: true },
  { column: 'charge_nano', field: 'charge', kind: 'money', nullable: false },
  { column: 'ending', field: 'ending', kind: 'ending', nullable: false },
  { column: 'hold_nano', field: 'hold', kind: 'money', nullable: true },
  { column: 'fault_nano', field: 'fault', kind: 'money', nullable: false },
  { column: 'variance_nano', field: 'variance', kind: 'money', nullable: false },
  { column: 'file_searches', field: 'usage.fileSearches', kind: 'count', nullable: false },
  { column: 'code_containers', field: 'usage.codeContainers', kind: 'count', nullable: false },
  { column: 'cached_audio_tokens', field: 'usage.cachedAudioTokens', kind: 'count', nullable: false },
  { column: 'output_image_tokens', field: 'usage.outputImageTokens', kind: 'count', nullable: false },
  { column: 'markup_ppm', field: 'rate', kind: 'rate', nullable: false },
  { column: 'own_credential', field: 'ownCredential', kind: 'flag', nullable: false },
  { column: 'saved_nano', field: 'saved', kind: 'money', nullable: false },
  { column: 'node_loss_nano', field: 'nodeLoss', kind: 'money', nullable: false },
  { column: 'units', field: 'usage.units', kind: 'count', nullable: false },
  { column: 'unit_line', field: 'usage.unitLine', kind: 'count', nullable: false },
  { column: 'input_image_tokens', field: 'usage.inputImageTokens', kind: 'count', nullable: false },
] as const satisfies readonly SettlementColumn[];

export const SETTLEMENT_COLUMNS: readonly SettlementColumn[] = declared;

/** The names of the columns. */
export const SETTLEMENT_COLUMN_NAMES: readonly SettlementColumnName[] = declared.map(({ column }) => column);

export type SettlementColumnName = (typeof declared)[number]['column'];

/** A row as stored. */
export type SettlementRow = {
  readonly [Each in (typeof declared)[number] as Each['column']]:
    | Kinds[Each['kind']]['stored']
    | (Each['nullable'] extends true ? null : never);
};

/** A row with its names joined. Money is text, because a double may not represent it exactly. */
export type NamedSettlementRow = {
  readonly [Each in (typeof declared)[number] as Each['column']]:
    | Kinds[Each['kind']]['selected']
    | (Each['nullable'] extends true ? null : never);
};

export type SettlementColumn = {
  readonly [Field in SettlementField]: {
    readonly column: string;
    /** The field of a settlement. */
    readonly field: Field;
    readonly kind: KindOf<NonNullable<ValueAt<Field>>>;
    readonly nullable: null extends ValueAt<Field> ? true : false;
  };
}[SettlementField];

/** The type of a column: in the program, in a stored row, and in a selected row with names joined. */
interface Kinds {
  callId: { value: CallId; stored: Uint8Array; selected: Uint8Array };
  accountId: { value: AccountId; stored: number; selected: number };
  projectId: { value: ProjectId; stored: number; selected: number };
  keyId: { value: KeyId; stored: number; selected: number };
  /** The number of a name, in the table of names. */
  name: { value: string; stored: number; selected: string };
  count: { value: number; stored: number; selected: number };
  /** See `codes.ts`, like `ending`. */
  usageSource: { value: UsageSource; stored: number; selected: number };
  ending: { value: Ending; stored: number; selected: number };
  priceVersion: { value: PriceVersionId; stored: number; selected: number };
  /** What it is above the list price, in parts per million: 0 without a markup, negative for the fee of an own credential. */
  rate: { value: Rate; stored: number; selected: number };
  /** 0 or 1. */
  flag: { value: boolean; stored: number; selected: number };
  /** Nano-USD. */
  money: { value: Money; stored: bigint; selected: string };
}

export type ColumnKind = keyof Kinds;

type SettlementField = Exclude<keyof Settlement, 'usage'> | `usage.${keyof Usage}`;

type ValueAt<Field extends SettlementField> = Field extends `usage.${infer Name extends keyof Usage}`
  ? Usage[Name]
  : Field extends keyof Settlement
    ? Settlement[Field]
    : never;

type KindOf<Value> = {
  [Kind in ColumnKind]: [Value, Kinds[Kind]['value']] extends [Kinds[Kind]['value'], Value] ? Kind : never;
}[ColumnKind];

/** A field of a settlement without a column does not compile. */
type Missing = Exclude<SettlementField, (typeof declared)[number]['field']>;
true satisfies [Missing] extends [never] ? true : Missing;
