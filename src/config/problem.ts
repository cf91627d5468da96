/** What is wrong with a configuration: all of it at once, each with its place. Values are never repeated: they may be secret. */
export interface Problem {
  /** `turnpike.yaml:12`, `environment PORT`, `flag --port`. */
  readonly where: string;
  readonly message: string;
}

/** Whether a place is the command line: a problem's, or where a value came from. */
export function isFlag(where: string): boolean {
  return where.startsWith('flag --');
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.where}: ${problem.message}`).join('\n'));
    this.problems = problems;
  }
}
