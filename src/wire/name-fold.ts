/**
 * Which names a reader that is lenient about spelling takes for one another. Go's `encoding/json` compares as
 * `bytes.EqualFold` does, its second version may pass over `_` and `-` as well, .NET and Jackson have such options, some
 * servers in C end a name at its first NUL. Whatever one of them equates is equal here.
 *
 * https://pkg.go.dev/encoding/json#Unmarshal, https://pkg.go.dev/encoding/json/v2#MatchCaseInsensitiveNames
 */

/** Equal for two names that a lenient reader may take for the same one. */
export function foldName(name: string): string {
  const end = name.indexOf('\0');
  // Upper case first: it turns the long s into a plain one; lower case then does the same for the Kelvin sign.
  return (end === -1 ? name : name.slice(0, end)).toUpperCase().toLowerCase().replaceAll(LEFT_OUT, '');
}

/** The last is the dot that is left of a capital I with a dot in lower case. */
const LEFT_OUT = /_|-|\u0307/g;
