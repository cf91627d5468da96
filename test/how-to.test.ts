/**
 * Goal: what readers are told to type or to write into a file works with the program, and the programs around it. Method: command lines of the
 * documents are read as `turnpike` reads them, configurations are loaded, files of other programs are checked by those if they are installed,
 * and the paths that contributors are sent to are looked up.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { commands } from '../src/cli/commands/index.ts';
import { commonFlags } from '../src/cli/help-text.ts';
import { readFlags } from '../src/cli/read-flags.ts';
import { loadConfig } from '../src/config/load-config.ts';

const ROOT = resolve(import.meta.dirname, '..');
const pages = ['.', 'docs/guide', 'docs/how-to', 'docs/reference'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const folder = mkdtempSync(join(tmpdir(), 'turnpike-how-to-'));
after(() => rmSync(folder, { recursive: true }));

test('every command line that is shown is one that turnpike takes', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const page of pages) {
    for (const { words, line } of commandLines(page)) {
      const named = (length: number) => commands.find(({ name }) => name === words.slice(0, length).join(' '));
      const command = named(2) ?? named(1);
      if (words[0] === 'help') continue;
      seen += 1;
      if (command === undefined) {
        wrong.push(`${page}: no such command: ${line}`);
        continue;
      }
      try {
        const { parameters } = readFlags(words.slice(command.name.split(' ').length), {
          ...commonFlags,
          ...command.flags,
        });
        const { min, max } = command.parameterCount ?? { min: 0, max: 0 };
        if (parameters.length < min || parameters.length > max) wrong.push(`${page}: parameters: ${line}`);
      } catch (error) {
        wrong.push(`${page}: ${(error as Error).message}: ${line}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(seen > 30, `${seen} command lines were found`);
});

test('messages and output that are shown are still what the program says', () => {
  const templates = saidByTheProgram();
  const unsaid: string[] = [];
  let seen = 0;
  for (const page of pages.filter((name) => name.startsWith('docs/how-to/'))) {
    for (const text of [...complaintsOf(page), ...outputOf(page)]) {
      seen += 1;
      const isSaid = templates.some((template) => (template.exec(text)?.[0].length ?? 0) >= text.length * COVERED_MIN);
      if (!isSaid) unsaid.push(`${page}: ${text}`);
    }
  }
  assert.deepEqual(unsaid, []);
  assert.ok(seen > 30, `${seen} messages were found`);
});

test('a configuration that is shown can be used as it is', () => {
  const shown = pages.flatMap((page) => fences(page, 'yaml').map((yaml) => ({ page, yaml })));
  assert.ok(shown.length >= 2);
  for (const { page, yaml } of shown) {
    writeFileSync(join(folder, 'turnpike.yaml'), yaml);
    const names = [...yaml.matchAll(/(?<!\$)\$\{(\w+)\}/g)].map(([, name = '']) => name);
    const environment = Object.fromEntries(names.map((name, index) => [name, `a-key-${index}`]));
    assert.doesNotThrow(() => loadConfig({ flags: {}, environment, cwd: folder }), page);
  }
});

test('nginx takes the configuration that is shown', { skip: lacking('nginx', '-v') }, () => {
  const [server = '', below = ''] = fences('docs/how-to/deploy-behind-nginx.md', 'nginx');
  const key = makeCertificate();
  const whole = server
    .replaceAll('/etc/ssl/llm.example.com', key)
    .replace(/listen 443/, 'listen 127.0.0.1:8443')
    .replace(/\n}\s*$/, `\n${below}\n}\n`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  const logs = `pid ${folder}/pid; error_log stderr;`;
  writeFileSync(file, `${logs}\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${whole}}\n`);
  const { status, stderr } = spawnSync('nginx', ['-t', '-e', 'stderr', '-c', file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('what is said of nginx before several nodes is what its file has, and all that a single node does not need', () => {
  const [shown = ''] = fences('docs/how-to/deploy-behind-nginx.md', 'nginx');
  const [single, file] = [settingsOf(shown), settingsOf(read('deploy/nginx.conf'))];
  const [, section = ''] = read('docs/how-to/many-nodes.md').split('\n## nginx\n');
  const table = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const named = table.flatMap((line) =>
    [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  );
  assert.ok(named.length >= 10, `${named.length} settings were found`);
  const isOf = (setting: string, name: string) => setting === name || setting.split(' ')[0] === name;
  const without = named.filter((name) => !file.some((setting) => isOf(setting, name) || setting.endsWith(` ${name}`)));
  assert.deepEqual(without, [], 'the file has other values');
  const unsaid = file.filter(
    (setting) =>
      !single.includes(setting) &&
      !/^(listen|worker_\w+|access_log) /.test(setting) &&
      !named.some((name) => isOf(setting, name) || setting.endsWith(` ${name}`)),
  );
  assert.deepEqual(unsaid, [], 'the page does not say why');
});

test('Caddy takes the configurations that are shown', { skip: lacking('caddy', 'version') }, () => {
  for (const caddyfile of fences('docs/how-to/deploy-behind-caddy.md', 'caddyfile')) {
    writeFileSync(join(folder, 'Caddyfile'), caddyfile);
    const parameters = ['adapt', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    const { status, stderr } = spawnSync('caddy', parameters, {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    });
    assert.equal(status, 0, stderr);
  }
});

test('systemd takes the units that are shown', { skip: lacking('systemd-analyze', '--version') }, () => {
  const units = join(folder, 'etc/systemd/system');
  mkdirSync(units, { recursive: true });
  const names: string[] = [];
  for (const page of ['deploy-with-systemd', 'back-up-and-restore', 'nodes-with-systemd']) {
    for (const [, name = '', unit = ''] of read(`docs/how-to/${page}.md`).matchAll(
      /`\/etc\/systemd\/system\/([\w./@-]+)`:\n\n```systemd\n([\s\S]*?)```/g,
    )) {
      mkdirSync(dirname(join(units, name)), { recursive: true });
      // The programs that they start are not on this machine.
      writeFileSync(join(units, name), unit.replace(/^(Exec\w+)=.*$/gm, '$1=/bin/true'));
      names.push(name);
    }
  }
  assert.deepEqual(names, [
    ...['turnpike.service', 'turnpike-backup.service', 'turnpike-backup.timer'],
    ...['turnpike.service.d/database.conf', 'turnpike@.service'],
  ]);
  // systemd reads the drop-in with the unit that it is of.
  const verified = names.filter((name) => !name.endsWith('.conf')).map((name) => name.replace('@', '@8081'));
  const { status, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', ...verified.map((name) => join(units, name))],
    {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${units}:` },
    },
  );
  const complaints = stderr.split('\n').filter((line) => line.includes('turnpike'));
  assert.deepEqual([status, complaints], [0, []]);
});

test('the files that contributors are sent to are there', () => {
  const missing: string[] = [];
  for (const page of [...pages.filter((name) => name.startsWith('docs/how-to')), 'CONTRIBUTING.md']) {
    for (const [, path = ''] of read(page).matchAll(/`((?:src|test|scripts|docs|web|bench)\/[\w./-]+\.\w+)`/g))
      if (!/\btoy\b|acme/.test(path) && !existsSync(join(ROOT, path))) missing.push(`${page}: ${path}`);
  }
  assert.deepEqual(missing, []);
});

/** Directives of nginx with their values, such as `proxy_buffering off`; blocks are left out. */
function settingsOf(configuration: string): readonly string[] {
  const lines = configuration.split('\n').map((line) => (line.split('#')[0] ?? '').replace(/^.*{/, '').trim());
  return lines.flatMap((line) => (line.includes(';') ? [line.slice(0, line.indexOf(';')).replace(/\s+/g, ' ')] : []));
}

/** How much of a message one text of the program has to explain; places and names come before and after it. */
const COVERED_MIN = 0.6;
/** What other programs say. */
const NOT_OURS =
  /page not found|As you answer|There's an issue|Not logged in|shared libraries|^(Valid configuration|Public key|Created symlink|Started turnpike|Finished turnpike)|turnpike(-backup)?\.service|one-api|^All is well|^Gemini CLI is/;

/** The codes in the first column of a page's table of what can go wrong that are sentences, `…` standing for anything. */
function complaintsOf(page: string): string[] {
  const [, table = ''] = read(page).split('## What can go wrong');
  const cells = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell);
  const codes = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  return codes.filter((code) => code.split(' ').length > 3 && !NOT_OURS.test(code));
}

/** The lines of output in a page's consoles that are sentences. */
function outputOf(page: string): string[] {
  const lines = fences(page, 'console').join('\n').replaceAll('\\\n', ' ').split('\n');
  return lines.filter(
    (line) => /^[A-Z][\w']+ .*[.:]$/.test(line) && line.split(' ').length > 3 && !NOT_OURS.test(line),
  );
}

/** Every text of the program of three words and more, with anything in its gaps. */
function saidByTheProgram(): RegExp[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.|fixture/.test(name))
    .map((name) => join(ROOT, 'src', name));
  const lines = files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => !/^ *(\/?\*|\/\/)/.test(line));
  const texts = lines.flatMap((line) => [
    ...line.matchAll(/'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`|"((?:\\.|[^"\\])*)"/g),
  ]);
  return texts
    .map(([, single, template, double]) => single ?? template ?? double ?? '')
    .filter((text) => (text.match(/[A-Za-z]{2,} /g) ?? []).length >= 3)
    .map(
      (text) =>
        new RegExp(
          text
            .split(/\$\{(?:[^{}]|\{[^}]*\})*\}/)
            .map(RegExp.escape)
            .join('.{0,200}?'),
        ),
    );
}

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The blocks of code of a page in one language, those within lists without their indentation. */
function fences(page: string, language: string): string[] {
  const blocks = read(page).matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\``, 'gm'));
  return [...blocks].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** The lines of a page that call `turnpike`, without what a shell takes of them. */
function commandLines(page: string): { words: string[]; line: string }[] {
  const lines = ['sh', 'console']
    .flatMap((language) => fences(page, language))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  return lines.flatMap((line) => {
    const [, command] = /^(?:[$#] )?(?:\w+=\S* )*(?:\w+=\$\()?(?:npx --no )?turnpike (?=[a-z])(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ line, words: shellWords(command) }];
  });
}

/** Words with quotes taken off, up to a pipe, a redirection, a comment or a bracket. */
function shellWords(command: string): string[] {
  const words = command.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g);
  const read: string[] = [];
  for (const [whole, single, double, plain = ''] of words) {
    if (/^(\||#|>|&|;)/.test(whole)) break;
    read.push(single ?? double ?? plain.replace(/\)$/, ''));
    if (plain.endsWith(')')) break;
  }
  return read;
}

/** Why a test is skipped, where a program is not installed. */
function lacking(program: string, argument: string): string | false {
  const isThere = spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;
  return isThere ? false : `${program} is not installed here`;
}

/** The path of a certificate and its key, without the ending. */
function makeCertificate(): string {
  const path = join(folder, 'certificate');
  const parameters = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=llm.example.com'];
  spawnSync('openssl', [...parameters, '-keyout', `${path}.key`, '-out', `${path}.pem`], { stdio: 'ignore' });
  return path;
}
