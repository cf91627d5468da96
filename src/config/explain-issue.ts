/** Explains a schema's complaint in plain words, without repeating the value, which may be a secret. */
import type * as z from 'zod';
import { suggestion } from './nearest.ts';
import { fieldsAt, type Path, pathText } from './options.ts';
import { shapeHint } from './shape-hint.ts';

export interface Complaint {
  /** Where the fault is; for an unknown field, the field itself. */
  readonly path: Path;
  readonly message: string;
  /** What is at fault: an unknown name, a value, or something in it that matches none of several alternatives. */
  readonly of: 'name' | 'value' | 'alternatives';
}

export function explainIssue(issue: z.core.$ZodIssue, parent: Path = []): Complaint[] {
  const path = [...parent, ...(issue.path as Path)];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `is not an option${suggestion(key, fieldsAt(path), path.length === 0 ? '' : `${pathText(path)}.`)}`,
      of: 'name',
    }));
  if (issue.code !== 'invalid_union') return [{ path, message: messageOf(issue, path), of: 'value' }];
  // The branch that matched furthest is the one that was meant.
  const meant = issue.errors.find((branch) =>
    branch.every((fault) => fault.path.length > 0 || fault.code === 'unrecognized_keys'),
  );
  if (meant !== undefined) return meant.flatMap((fault) => explainIssue(fault, path));
  return [{ path, message: `${issue.message}${shapeHint(path, issue.input)}`, of: 'alternatives' }];
}

function messageOf(issue: z.core.$ZodIssue, path: Path): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue, path);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an http or https address' : formatMessage(issue);
    default:
      return issue.message;
  }
}

function typeMessage(issue: z.core.$ZodIssueInvalidType, path: Path): string {
  if (issue.input === undefined) return `is missing (${article(issue.expected)})`;
  return `must be ${article(issue.expected)}, not ${article(receivedType(issue.input))}${shapeHint(path, issue.input)}`;
}

function formatMessage(issue: z.core.$ZodIssueInvalidStringFormat): string {
  return issue.format === 'starts_with' ? 'must start with /' : issue.message;
}

function receivedType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isInteger(value) ? 'fraction' : typeof value;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  fraction: 'a fraction',
  boolean: 'true or false',
  object: 'a group of fields',
  array: 'a list',
  null: 'nothing',
};

function article(type: string): string {
  return WORDS[type] ?? type;
}
