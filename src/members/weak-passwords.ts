/** Passwords that attackers guess first. Length is the only other rule: https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver */

const LENGTH_MIN = 12;
const DIFFERENT_MIN = 4;
const UNIT_LENGTH_MAX = 8;

/** What is wrong with a new password as a sentence, or null. */
export function passwordFault(
  password: string,
  person: { readonly email: string; readonly name: string },
): string | null {
  if ([...password].length < LENGTH_MIN) return `A password has ${LENGTH_MIN} characters or more.`;
  const plain = password.normalize('NFKC').toLowerCase();
  const bare = plain.replace(/[\s._-]/g, '');
  if (isWellKnown(bare)) return 'This password is too easy to guess. Choose another one.';
  if (isOf(person, plain)) return 'The password must not be your name or email address.';
  return null;
}

/** In the list, repeated, of only a few different characters, or a sequence. */
function isWellKnown(bare: string): boolean {
  if (new Set(bare).size < DIFFERENT_MIN || WELL_KNOWN.has(bare)) return true;
  // `passwordpassword`, `abc123abc123`
  for (let length = 1; length <= UNIT_LENGTH_MAX; length += 1)
    if (bare.length > length && bare === bare.slice(0, length).repeat(bare.length / length)) return true;
  // `password1234`, `letmein2026!`: a common word with a common suffix.
  const word = bare
    .replace(/(?<![\d!?#$*@])[\d!?#$*@]+$/, '')
    .replaceAll('@', 'a')
    .replaceAll('0', 'o')
    .replaceAll('$', 's');
  return WORDS.has(word) || RUNS.some((run) => run.includes(bare));
}

function isOf(person: { readonly email: string; readonly name: string }, plain: string): boolean {
  const email = person.email.toLowerCase();
  const [local = ''] = email.split('@', 1);
  const own = plain.replace(/(?<![\d\s!?._-])[\d\s!?._-]+$/, '');
  return [email, local, person.name.trim().toLowerCase()].some(
    (known) => known !== '' && (plain === known || own === known || plain === known + known),
  );
}

const DIGITS = '01234567890123456789';
const RUNS = [
  DIGITS,
  [...DIGITS].reverse().join(''),
  'abcdefghijklmnopqrstuvwxyz',
  'zyxwvutsrqponmlkjihgfedcba',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiop[]asdfghjkl;',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i9o0p',
];

const WORDS = new Set(
  `password passwort passw0rd motdepasse contrasena admin administrator root superuser operator letmein welcome
  changeme changeit secret turnpike gateway dashboard default qwerty qwertyuiop asdfghjkl iloveyou monkey dragon
  football baseball basketball superman batman sunshine princess starwars whatever trustno michael jennifer
  computer internet server login testtest test testing temporary company master hello helloworld access freedom
  mypassword thepassword newpassword yourpassword adminpassword adminadmin passwordadmin rootpassword
  welcomeback letmeinnow letmeinplease pleaseletmein openai chatgpt`.split(/\s+/),
);

const WELL_KNOWN = new Set(
  `correcthorsebatterystaple thisisapassword thisismypassword mypasswordispassword nopasswordneeded
  iloveyouforever iloveyousomuch password1password qwertyqwerty123 1234qwerasdf 1234qwerasdfzxcv qwer1234asdf
  qwertyuiop12 qwertyuiop123 asdfghjkl123 zaq12wsxcde3 zaq1zaq1zaq1 1qaz2wsx3edc 1qazxsw23edc !qaz2wsx3edc
  abcd1234efgh abcdef123456 123456abcdef a1b2c3d4e5f6 aa123456789 123456789abc 123456789qwe qwe123456789
  123qweasdzxc 1q2w3e4r5t6y qazwsxedcrfv qazwsxedc123 administrator1 dontforgetme unknownpassword
  thequickbrownfox donaudampfschiff hunter2hunter2 tobeornottobe maytheforcebewithyou`.split(/\s+/),
);
