/** The table: absolute figures of this machine, and the ratios, which can be compared. */
import type { Row, Target } from './measures/measure.ts';
import { median, spread } from './statistics.ts';
import type { SubjectName } from './subject.ts';

const TITLES: Readonly<Record<SubjectName, string>> = {
  nginx: 'nginx `proxy_pass`',
  bare: 'bare Node + undici',
  turnpike: 'Turnpike',
};

/** A markdown table of the rows, with columns for the subjects that were measured. */
export function renderTable(rows: readonly Row[], names: readonly SubjectName[]): string {
  const others = names.filter((name) => name !== 'turnpike');
  const ratios = names.includes('turnpike') ? others.map((name) => `Turnpike ÷ ${name}`) : [];
  const header = ['work', ...names.map((name) => TITLES[name]), ...ratios, 'Turnpike must reach'];
  const lines = rows.map((row) => [
    row.work,
    ...names.map((name) => renderValue(row, name)),
    ...(ratios.length > 0 ? others.map((name) => renderRatio(row, name)) : []),
    renderTarget(row),
  ]);
  const rule = header.map((_, index) => (index === 0 ? '---' : '---:'));
  return [header, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Whether the row's target is met; null if there is none or a figure is missing. */
export function meetsTarget(row: Row): boolean | null {
  const { turnpike } = row.values;
  if (row.target === null || turnpike === undefined) return null;
  return row.target.type === 'absolute' ? turnpike <= row.target.most : turnpike >= row.target.least;
}

/** Turnpike's figure over another's, round by round if there were rounds; null if one is missing. */
export function ratioTo(row: Row, other: SubjectName): number | null {
  const own = row.values.turnpike;
  const others = row.values[other];
  if (own === undefined || others === undefined || others <= 0) return null;
  const ownRounds = row.rounds?.turnpike ?? [own];
  const otherRounds = row.rounds?.[other] ?? [others];
  return median(ownRounds.map((figure, round) => figure / (otherRounds[round] ?? others)));
}

/** Replaces the text between the markers of a document; throws if they are missing. */
export function replaceBetweenMarkers(document: string, content: string): string {
  const start = document.indexOf(START);
  const end = document.indexOf(END);
  if (start === -1 || end < start) throw new Error(`the document lacks ${START} … ${END}`);
  return `${document.slice(0, start + START.length)}\n${content}\n${document.slice(end)}`;
}

const START = '<!-- results -->';
const END = '<!-- /results -->';

function renderValue(row: Row, name: SubjectName): string {
  const value = row.values[name];
  if (value === undefined) return '–';
  const rounds = row.rounds?.[name];
  const margin = rounds === undefined ? '' : ` ± ${(spread(rounds) * 100).toFixed(0)} %`;
  return `${withUnit(value, row.digits, row.unit)}${margin}`;
}

function renderRatio(row: Row, name: SubjectName): string {
  return ratioTo(row, name)?.toFixed(2) ?? '–';
}

function renderTarget(row: Row): string {
  if (row.target === null) return '';
  const words = targetWords(row.target, row.unit);
  const met = meetsTarget(row);
  return met === null ? words : `${words}: ${met ? 'yes' : '**no**'}`;
}

function targetWords(target: Target, unit: string): string {
  switch (target.type) {
    case 'absolute':
      return `≤ ${withUnit(target.most, null, unit)}`;
    case 'at-least':
      return `≥ ${withUnit(target.least, null, unit)}`;
  }
}

/** `digits` decimals, or those the value has; a plain number has no unit. */
function withUnit(value: number, digits: number | null, unit: string): string {
  const decimals = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${value.toLocaleString('en', decimals)} ${unit}`.trimEnd();
}
