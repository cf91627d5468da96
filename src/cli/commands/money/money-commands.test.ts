/**
 * Goal: the commands for limits, balances, the ledger and backups print the right text and exit with the right codes. Method: `runCli` with
 * a recording terminal, over the real control plane with services in memory.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture, record } from '../../../../test/support/control-services.ts';
import { commandRunner } from '../../../../test/support/run-commands.ts';
import { generationId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { parseSpan } from '../../read-values.ts';

async function openBench() {
  const fixture = await openFixture();
  const runner = commandRunner({ control: controlOf(fixture.services), now: () => fixture.clock.now() });
  return { ...fixture, ...runner };
}

test('a key is created with limits, which are listed, changed and removed', async () => {
  const { run } = await openBench();
  const line =
    'keys create --name ci --rpm 60 --tpm 1000 --concurrent 2 --budget day=5 --budget total=100 --models acme/* --models-deny acme/x,acme/y --ips 10.0.0.0/8 --operations chat';
  assert.equal((await run(line)).code, 0);
  const limits =
    '60 rpm, 1000 tpm, 2 concurrent, $5/day, $100/total, models acme/*, models-deny acme/x,acme/y, ips 10.0.0.0/8, operations chat';
  assert.ok((await run('keys list')).out.includes(`  0      ${limits}`));
  const changed = await run('keys update ci --rpm none --budget day=none --budget week=9 --models none --expires 30d');
  assert.match(changed.out, /updated: 1000 tpm, 2 concurrent, \$9\/week, \$100\/total, models-deny/);
  assert.match((await run('keys list')).out, /2026-12-31 00:00:00/);
  assert.equal((await run('keys update ci --expires never')).code, 0);
  assert.doesNotMatch((await run('keys list')).out, /2026-12-31/);
});

test('a key is rotated with only its new secret on standard output, disabled, enabled and cut', async () => {
  const { run } = await openBench();
  await run('keys create --name ci');
  const { out, notes } = await run('keys rotate ci --grace 24h');
  assert.match(out, /^sk-tp-[0-9A-Za-z]{49}$/);
  assert.match(notes, /^Key 2 "ci" replaces key 1 .*, which works until 2026-12-02 00:00:00 UTC/);
  assert.match((await run('keys list')).out, /retiring/);
  assert.match(
    (await run('keys disable 2')).out,
    /disabled\.\nThis also applies to its earlier secret, key 1 \(.+\), disabled\.$/,
  );
  assert.match(
    (await run('keys enable 2')).out,
    /enabled; status: active\.\nThis also applies .* key 1 .*, retiring\.$/,
  );
  assert.match((await run('keys revoke 2 --now')).out, /revoked\.\nThis also applies .* key 1 .*, revoked\.$/);
});

test('a key is created in an account by name, and the list shows the account of each key', async () => {
  const { run, scopes } = await openBench();
  await run('keys create --name ours');
  assert.doesNotMatch((await run('keys list')).out, /ACCOUNT/);
  const acme = await scopes.createAccount({ name: 'Acme' });
  await scopes.createProject({ accountId: acme.id, name: 'Default' });
  const ambiguous = await run('keys create --project Default');
  assert.equal(ambiguous.code, 1);
  assert.match(ambiguous.notes, /Several projects match; use one of these ids: .* or add --account\./);
  assert.match((await run('keys create --name theirs --account Acme')).notes, /in project Default, account Acme\./);
  assert.equal((await run('keys create --account Acme --project staging')).code, 1);
  assert.match((await run('keys create --account nobody')).notes, /No account/);
  const { out } = await run('keys list');
  assert.match(out, /^ID +NAME +KEY +ACCOUNT +PROJECT/);
  assert.match(out, /^1 +ours +\S+ +Default +Default/m);
  assert.match(out, /^2 +theirs +\S+ +Acme +Default/m);
});

test('among projects with the same name, --account selects the one to change and archive', async () => {
  const { run, scopes } = await openBench();
  const acme = await scopes.createAccount({ name: 'Acme' });
  await run('projects create bots');
  const theirs = await scopes.createProject({ accountId: acme.id, name: 'bots' });
  assert.match((await run('projects update bots --rpd 9')).notes, /or add --account/);
  assert.match(
    (await run('projects update bots --account Acme --rpd 9')).out,
    /^Project \d+ "bots" updated; limits: 9 rpd$/,
  );
  assert.equal(scopes.projects().find(({ id }) => id === theirs.id)?.limits.requestsPerDay, 9);
  assert.match((await run('projects archive bots --account Acme')).out, /archived/);
});

test('projects and accounts are listed and changed', async () => {
  const { run } = await openBench();
  assert.match((await run('projects create bots --rpd 9')).out, /^Project 3 "bots" created; limits: 9 rpd$/);
  assert.match(
    (await run('projects update bots --name robots --budget month=2.5')).out,
    /robots.*9 rpd, \$2\.5\/month/,
  );
  assert.match((await run('projects archive robots')).out, /archived/);
  assert.doesNotMatch((await run('projects list')).out, /robots/);
  assert.match((await run('projects list --all')).out, /robots .*archived/);
  assert.match((await run('projects archive robots --undo')).out, /restored/);
  assert.match((await run('accounts update Default --concurrent 5')).out, /limits: 5 concurrent; rates: -$/);
  assert.match((await run('accounts list')).out, /Default +prepaid .* 0 +0 +5 concurrent +-$/m);
});

test('a balance is shown and added to; repeating a reference changes nothing and says so', async () => {
  const { run } = await openBench();
  const first = await run('balance add 5.000000001 --reference pay-1 --note thanks');
  assert.equal(first.out, 'Entry 1: topup of $5.000000001 (reference pay-1). The balance is $5.000000001.');
  const again = await run('balance add 5.000000001 --reference pay-1');
  assert.equal(again.code, 0);
  assert.match(again.out, /^Nothing changed: the reference already belongs to entry 1, topup of \$5\.000000001/);
  const fresh = await run('balance add 1 --kind promo');
  assert.match(fresh.out, /\(reference [0-9a-f-]{36}\)/);
  assert.match(
    (await run('balance add --amount=-1.5 --kind adjustment')).out,
    /adjustment of \$-1\.5 .*\$4\.500000001\.$/,
  );
  assert.match((await run('balance show')).out, /^available +\$4\.500000001$/m);
  assert.match(
    (await run('balance entries')).out,
    /adjustment .*\n.*promo .*\n.*topup +5\.000000001 +pay-1 +- +thanks/,
  );
  const failed = await run('balance add 2 --reference pay-1');
  assert.equal(failed.code, 1);
  assert.match(failed.notes, /^turnpike: .*already belongs to another entry\.$/);
});

test('money is never added to one of several accounts that nobody named', async () => {
  const { run, scopes } = await openBench();
  const acme = await scopes.createAccount({ name: 'Acme' });
  const refused = await run('balance add 5');
  assert.equal(refused.code, 1);
  assert.match(refused.notes, /several accounts; name one with --account: 1 \(Default\), \d+ \(Acme\)\.$/);
  assert.equal((await run('balance add 5 --account Acme')).code, 0);
  assert.match((await run('balance show --account Default')).out, /^available +\$0$/m);
  assert.match((await run(`balance show --account ${acme.id}`)).out, /^available +\$5$/m);
});

test('a call is refunded in part and then in full', async () => {
  const { run, ledger, clock } = await openBench();
  const settlement = { ...record(clock.now(), 3_000_000_000n), hold: nanoUsd(3_000_000_000n) };
  await ledger.commit([{ type: 'settlement', settlement, hadHold: false, replay: null }]);
  const id = generationId(settlement.callId);
  assert.match((await run(`balance refund ${id} 1`)).out, /refund of \$1 /);
  assert.match((await run(`balance refund ${id}`)).out, /refund of \$2 /);
  assert.equal((await run(`balance refund ${id}`)).code, 1);
});

test('ledger verify fails and names each violation', async () => {
  const { run, maintenance } = await openBench();
  const good = await run('ledger verify');
  assert.equal(good.code, 0);
  assert.match(good.out, /^The ledger is correct: 1 accounts, 2 settlements/);
  const violations = [{ rule: 'balance_is_the_sum' as const, subject: 'account 1', detail: 'it is wrong' }];
  maintenance.report = { ...maintenance.report, violations, violationCount: 3 };
  const bad = await run('ledger verify --archive');
  assert.equal(bad.code, 1);
  assert.match(bad.out, /^balance_is_the_sum {2}account 1: it is wrong\nand 2 more\n3 violations:/);
  assert.equal((await run('ledger verify --json')).code, 1);
});

test('ledger export writes every page, in either format', async () => {
  const { run } = await openBench();
  const csv = (await run('ledger export')).out.split('\n');
  assert.equal(csv[0], 'time,debit,credit,amount,call,reference,account');
  assert.equal(csv[1], '2026-12-01T00:00:00.000Z,topup,available,5.000000001,,"say ""hi"", twice",1');
  assert.equal(csv.length, 4);
  assert.match(csv[3] ?? '', /^total,,,-?[\d.]+,,2 transfers,$/);
  const jsonl = (await run('ledger export --format jsonl --from 2026-10-01 --account Default')).out.split('\n');
  assert.match(jsonl[1] ?? '', /"amount":5\.000000001,/);
  assert.equal(JSON.parse(jsonl.at(-1) ?? '').total.transfers, 2);
});

test('an export of an unknown account leaves standard output empty', async () => {
  const { run } = await openBench();
  const { code, out, notes } = await run('ledger export --account nosuch');
  assert.deepEqual([code, out], [1, '']);
  assert.match(notes, /No account/);
});

test('a month is sealed, and a backup is made relative to the working directory', async () => {
  const { run, maintenance, cwd } = await openBench();
  assert.match((await run('ledger seal 2026-10')).out, /^2026-10 sealed: 2 settlements and 3 entries/);
  assert.match((await run('backup copies/today --without-secrets')).out, /4 files .*without the secrets/);
  assert.deepEqual(maintenance.asked, ['2026-10', { folder: join(cwd, 'copies/today'), secrets: false }]);
});

test('restore refuses a folder that is not a backup', async () => {
  const { run, cwd } = await openBench();
  mkdirSync(join(cwd, 'copy'));
  const { code, notes } = await run('restore copy --data new');
  assert.equal(code, 1);
  assert.match(notes, /is not a backup: it has no manifest\.json/);
});

test('doctor checks the ledger and suggests a backup', async () => {
  const { run, maintenance } = await openBench();
  const good = await run('doctor');
  assert.match(good.out, /^ok {4}ledger: 1 balances correct, 0 open holds$/m);
  assert.match(good.out, /^warn {2}backup: no backup found; create one with: \S*turnpike(?:\.js)? backup <folder>$/m);
  maintenance.checked = { ...maintenance.checked, unownedSettlements: 3 };
  assert.match(
    (await run('doctor')).out,
    /^ok {4}ledger: 1 balances .*, 3 settlements whose account was lost when the database went back/m,
  );
  const violations = [{ rule: 'balance_is_the_sum' as const, subject: 'account 1', detail: 'it is wrong' }];
  maintenance.checked = { ...maintenance.checked, violations, ballast: false, backupAt: 0, sealedThrough: '2026-10' };
  const bad = await run('doctor');
  assert.equal(bad.code, 1);
  assert.match(bad.out, /^fail {2}ledger: account 1: it is wrong; run: \S+ ledger verify$/m);
  assert.match(bad.out, /^warn {2}ballast: /m);
  assert.match(bad.out, /^warn {2}backup: 1970/m);
});

test('an invalid value is a usage error', async () => {
  const { run } = await openBench();
  const cases: [string, RegExp][] = [
    ['keys create --rpm 0', /--rpm 0 is not a valid limit/],
    ['keys create --rpm 1.5', /--rpm 1\.5 is not a valid limit/],
    ['keys create --budget 5', /--budget 5 is not a valid budget; use day=5/],
    ['keys create --budget day=1e3', /--budget 1e3 is not an amount/],
    ['keys create --budget day=-1', /--budget day=-1 is negative/],
    ['keys create --ips foo', /--ips "foo" is not accepted: it is neither an IP address/],
    ['keys create --models a*b', /--models "a\*b" is not accepted/],
    ['keys create --operations fly', /the known operations are chat/],
    ['keys create --expires 2020-01-01', /--expires 2020-01-01 is not in the future/],
    [`keys create --name ${'x'.repeat(201)}`, /--name has 201 characters; the maximum is 200/],
    ['keys create --name a\u001b[31m', /--name contains a control character/],
    ['keys rotate ci --grace 8d', /--grace 8d is too long/],
    ['keys update ci', /needs at least one flag/],
    ['keys rotate ci --grace soon', /--grace soon is not a duration; use 30s/],
    ['projects update x', /needs at least one flag/],
    ['balance add', /needs exactly one amount/],
    ['balance add -1.5 --kind adjustment', /-1\.5 looks like a flag; write --amount=-1\.5$/],
    [
      'balance refund gen-01JDM0Q3V8000000000000000A -1',
      /-1 looks like a flag; negative numbers are not accepted here$/,
    ],
    ['balance add 5 --amount=5', /needs exactly one amount/],
    ['balance add 5,5', /not an amount/],
    ['balance add 5 --kind refund', /--kind refund is not one of/],
    ['balance add 0', /not positive, as a topup/],
    ['balance add --amount=-1 --kind promo', /not positive, as a promo/],
    [`balance add 5 --reference ${'x'.repeat(201)}`, /--reference has 201 characters/],
    ['balance add 5 --reference a\u202eb', /--reference contains a control character, or one that changes/],
    [`balance add 5 --note ${'x'.repeat(1001)}`, /--note has 1001 characters; the maximum is 1000/],
    ['balance entries --lines 0', /--lines must be between 1 and 1000/],
    ['balance entries --before x', /--before must be between/],
    ['balance refund gen-nonsense', /gen-nonsense is not a call id; call ids look like gen-…/],
    ['balance refund', /needs <gen-id>/],
    ['ledger export --format xml', /neither csv nor jsonl/],
    ['ledger export --from yesterday', /--from yesterday is not a time/],
    ['ledger export --from 2026-10-02 --to 2026-10-01', /--from 2026-10-02 is later than --to 2026-10-01/],
    ['ledger seal 2026-13', /2026-13 is not a month; use the form 2026-10/],
    ['ledger seal', /needs <2026-10>/],
  ];
  for (const [line, expected] of cases) {
    const { code, notes } = await run(line);
    assert.equal(code, 2, line);
    assert.match(notes, expected, line);
  }
});

test('durations need units', () => {
  assert.deepEqual(['30s', '15m', '24h', '7d', '1w', '7', 'd', '-1d', '1.5h'].map(parseSpan), [
    30_000,
    900_000,
    86_400_000,
    604_800_000,
    604_800_000,
    null,
    null,
    null,
    null,
  ]);
});

test('keys list --all shows the models of a revoked key', async () => {
  const { run } = await openBench();
  await run('keys create --name ci --models demo/*');
  await run('keys revoke ci');
  assert.match((await run('keys list --all')).out, /revoked.*demo\/\*/);
});
