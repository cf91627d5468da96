/**
 * An amount as SQLite takes it at least cost: a `bigint` costs ten times what a number does to
 * bind, and in an INTEGER column a number that is exact becomes the same integer.
 */
export function sqlInteger(amount: bigint): number | bigint {
  return amount <= LARGEST_EXACT && amount >= -LARGEST_EXACT ? Number(amount) : amount;
}

const LARGEST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
