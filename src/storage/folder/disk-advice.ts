/** What to do about a disk that refuses, for the end of a message that names the file. */
export const DISK_ADVICE =
  'Check that its disk has space and works, and that this user may write there; then start again.';
