/**
 * Which names a lenient parser takes for the same. Go's `encoding/json` compares as `bytes.EqualFold` does, its second version may ignore
 * `_` and `-` as well, .NET and Jackson have such options, and some servers in C end a name at its first NUL. Whatever one of them equates
 * is equal here.
 *
 * https://pkg.go.dev/encoding/json#Unmarshal, https://pkg.go.dev/encoding/json/v2#MatchCaseInsensitiveNames
 */

/** Returns the same for two names that a lenient parser may take for the same one. */
export function foldName(name: string): string {
  const end = name.indexOf('\0');
  // Upper case first: it turns the long s into a plain one; lower case then does the same for the Kelvin sign.
  return (end === -1 ? name : name.slice(0, end)).toUpperCase().toLowerCase().replaceAll(LEFT_OUT, '');
}

/** The last is the combining dot that remains when a capital I with a dot is lower-cased. */
const LEFT_OUT = /_|-|\u0307/g;
