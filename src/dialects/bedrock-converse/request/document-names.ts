/**
 * Names of documents as Bedrock accepts them: letters, digits, single spaces, hyphens, parentheses and square brackets, at most 200
 * characters, and each only once in a request.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
 */
export class DocumentNames {
  readonly #used = new Set<string>();
  /** How often each name has occurred, so that no number is tried twice. */
  readonly #counts = new Map<string, number>();

  /** The same documents always get the same names, which keeps a cached prompt valid. */
  next(name: string | null): string {
    const cleaned = clean(name ?? '');
    const base = cleaned === '' ? UNNAMED : cleaned;
    let count = (this.#counts.get(base) ?? 0) + 1;
    let unique = count === 1 ? base : `${base} (${count})`;
    while (this.#used.has(unique)) {
      count += 1;
      unique = `${base} (${count})`;
    }
    this.#counts.set(base, count);
    this.#used.add(unique);
    return unique;
  }
}

const UNNAMED = 'Document';
/** Leaves room for a number. */
const LENGTH_MAX = 180;

function clean(name: string): string {
  return name
    .slice(0, LENGTH_MAX)
    .replace(/[^A-Za-z0-9\s()[\]-]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
