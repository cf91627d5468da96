/**
 * What is wrong with a configuration: all problems together, each with its place. Values are never repeated, because they may
 * be secret.
 */
export interface Problem {
  /** `turnpike.yaml:12`, `environment PORT`, `flag --port`. */
  readonly where: string;
  readonly message: string;
}

/** Whether the place of a problem, or the origin of a value, is the command line. */
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
