/** Tables of what a step of a translation left out or refused. */
import type { Refused } from '../../../test/golden/translate.ts';
import { code, markdownTable } from '../markdown-table.ts';

/** What a step made of one fixture, for each kind of model if it depends on the model. */
export interface Line {
  readonly about: string;
  readonly outcomes: readonly Outcome[];
}

export interface Outcome {
  /** The kind of model. */
  readonly name: string;
  /** Null if the step went through. */
  readonly refused: Refused | null;
  readonly warnings: readonly string[];
}

/** Two tables with a line above each; a table without rows is left out. Without kinds of models there is no column for them. */
export function lossTables(lines: readonly Line[], subject: string): string {
  const reported = reportedRows(lines);
  const refused = refusedRows(lines);
  const parts: string[] = [];
  if (reported.length > 0) {
    parts.push(
      `Reported, where the ${subject} has it:`,
      table([`the ${subject} has`, 'the caller is told', 'for'], reported),
    );
  }
  if (refused.length > 0) {
    parts.push(
      `Refused, where the ${subject} has it:`,
      table([`the ${subject} has`, 'code', 'the message', 'for'], refused),
    );
  }
  return parts.join('\n\n');
}

/** `carried`, `reported` or `refused`; with the kind of model if only one of them loses something, or if they lose differently. */
export function verdict({ outcomes }: Line): string {
  const verdicts = outcomes.map(({ refused, warnings }) => {
    if (refused !== null) return 'refused';
    return warnings.length === 0 ? 'carried' : 'reported';
  });
  if (verdicts.every((each) => each === verdicts[0])) return verdicts[0] ?? '';
  const losing = outcomes.map(({ name }, index) => `${verdicts[index]} for ${name}`);
  return losing.filter((_text, index) => verdicts[index] !== 'carried').join(', ');
}

/** The last column is empty where no step depends on the model. */
function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const isUsed = rows.some((row) => row.at(-1) !== '');
  return markdownTable(
    isUsed ? header : header.slice(0, -1),
    rows.map((row) => (isUsed ? row : row.slice(0, -1))),
  );
}

/** One row per request and kind of model; what applies to every model is listed once. */
function reportedRows(lines: readonly Line[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const { about, outcomes } of lines) {
    const byModels = new Map<string, string[]>();
    for (const [warning, names] of namesByWarning(outcomes)) {
      const models = whichModels(names, outcomes.length);
      byModels.set(models, [...(byModels.get(models) ?? []), warning]);
    }
    for (const [models, warnings] of byModels) rows.push([about, warnings.join('; '), models]);
  }
  return rows;
}

function namesByWarning(outcomes: readonly Outcome[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, warnings } of outcomes) {
    for (const warning of warnings) names.set(warning, [...(names.get(warning) ?? []), name]);
  }
  return names;
}

function refusedRows(lines: readonly Line[]): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const { about, outcomes } of lines) {
    const byMessage = new Map<string, { readonly code: string; readonly names: string[] }>();
    for (const { name, refused } of outcomes) {
      if (refused === null) continue;
      const names = byMessage.get(refused.message)?.names ?? [];
      byMessage.set(refused.message, { code: refused.code, names: [...names, name] });
    }
    for (const [message, refusal] of byMessage) {
      rows.push([about, code(refusal.code), message, whichModels(refusal.names, outcomes.length)]);
    }
  }
  return rows;
}

function whichModels(names: readonly string[], all: number): string {
  if (all === 1) return '';
  return names.length === all ? 'any model' : names.join(', ');
}
