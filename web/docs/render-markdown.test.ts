/** Goal: Markdown is rendered completely, and cannot run scripts. Method: small pages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { highlight, languageLabel } from './highlight.ts';
import { renderMarkdown } from './render-markdown.ts';

const links = { link: (href: string) => (href === 'gone' ? null : href), image: (src: string) => ({ src }) };
const render = (markdown: string) => renderMarkdown(markdown, links);

describe('a page', () => {
  const page = render(`# The \`title\`

2026-11-23, accepted.

The **first** [paragraph](other.md) that says
enough about it:

## One

- a
- b

### Deep

| x | y |
| - | -: |
| 1 | 2 |

# Another title

## One
`);

  test('has its title and first paragraph in words', () => {
    assert.equal(page.title, 'The title');
    assert.equal(page.opening, 'The first paragraph that says enough about it:');
    assert.equal(page.description, 'The first paragraph that says enough about it.');
  });

  test('has one title, whatever its Markdown says', () => {
    assert.doesNotMatch(page.html, /<h1/);
    assert.match(page.html, /<h2 id="another-title">/);
  });

  test('has anchors on its headings, each once', () => {
    assert.deepEqual(
      page.headings.map(({ anchor }) => anchor),
      ['one', 'deep', 'another-title', 'one-1'],
    );
    assert.match(page.html, /<h2 id="one-1">One<a class="anchor" href="#one-1" aria-label="Link to “One”"><\/a><\/h2>/);
  });

  test('has sections for the search, lists and tables as words', () => {
    assert.deepEqual(
      page.sections.map(({ heading, anchor, text }) => [heading, anchor, text]),
      [
        ['The title', '', '2026-11-23, accepted. The first paragraph that says enough about it:'],
        ['One', 'one', 'a b'],
        ['Deep', 'deep', 'x y 1 2'],
        ['Another title', 'another-title', ''],
        ['One', 'one-1', ''],
      ],
    );
  });

  test('has tables in a box that scrolls', () => {
    assert.match(page.html, /<div class="table-box" tabindex="0"><table>.*<td class="align-right">2<\/td>/s);
  });
});

test('a long first paragraph is cut at a sentence, or at a word', () => {
  const sentences = `# T\n\n${'A sentence of some length is here. '.repeat(8)}`;
  assert.match(render(sentences).description, /here\.$/);
  assert.ok(render(sentences).description.length <= 160);
  assert.match(render(`# T\n\n${'word '.repeat(50)}`).description, /word…$/);
});

test('a summary is the first sentence, whole; a very short one with the next', () => {
  const long = `${'word '.repeat(60)}1.2.3, e.g. of this, ends.`;
  assert.equal(render(`# T\n\n${long} Another one.`).summary, long);
  assert.equal(
    render('# T\n\nFor developers. This is what the page is about. And more.').summary,
    'For developers. This is what the page is about.',
  );
  assert.equal(
    render('# T\n\nThis leads to a list of some length:\n\n- a').summary,
    'This leads to a list of some length.',
  );
});

test('HTML is shown as text, but for a few tags without attributes', () => {
  const { html } = render(`# T

<script>alert(1)</script>

a <b onclick="x()">b</b> <br> <kbd>Ctrl</kbd> <img src=x onerror=alert(1)> <kbd class="x">K</kbd> <!-- secret -->

<div style="color:red">

c <name>

</div>

<!-- generated: table -->
`);
  assert.doesNotMatch(html, /<script|<img|<b |<div|<name|secret|generated|<kbd class/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(html, /<br> <kbd>Ctrl<\/kbd>/);
  assert.match(html, /c &lt;name&gt;/);
});

test('a link to what the site has not keeps its words only; a script is no address', () => {
  const { html } = render('# T\n\n[words](gone) [out](https://example.com/?a=1&b="2") ![a "b"](p.png)');
  assert.match(
    html,
    /<p>words <a href="https:\/\/example\.com\/\?a=1&amp;b=&quot;2&quot;" rel="noopener noreferrer">out<\/a>/,
  );
  assert.match(html, /<img src="p\.png" alt="a &quot;b&quot;" loading="lazy"/);
});

test('code has its language above it, colours as classes, and is escaped', () => {
  const { html } = render('# T\n\n```sh\nKEY=1 curl "$URL" # <a>\n```\n\n```\n<b>\n```');
  assert.match(html, /<span>Shell<\/span><button type="button" class="copy" hidden>Copy<\/button>/);
  assert.match(html, /<span class="code-comment"># &lt;a&gt;<\/span>/);
  assert.match(html, /<code>&lt;b&gt;<\/code>/);
  assert.doesNotMatch(html, /style=/);
});

test('long names in code can be broken at their joints', () => {
  const { html } = render(
    '# T\n\n`TURNPIKE_LIMITS_MAX` `limits.bodyBytesMax` `short_name` `a && b_of_a_long_one` `--public-url`',
  );
  assert.match(html, /<code>TURNPIKE_<wbr>LIMITS_<wbr>MAX<\/code>/);
  assert.match(html, /<code>limits\.<wbr>bodyBytesMax<\/code> <code>short_name<\/code> <code>a &amp;&amp; b_<wbr>of_/);
  assert.match(html, /<code class="whole">--public-url<\/code>/);
});

test('colours never change the code', () => {
  const plain = (html: string): string =>
    html
      .replace(/<\/?span[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
  const code = `# a 'quote" that \\ never ends\n{"a": [1, -2.5, true, "b\\"c"], 'd': \`e\n\${f}\`}\nkey: value # <tag> & more\n`;
  for (const language of [
    'sh',
    'js',
    'ts',
    'python',
    'json',
    'yaml',
    'toml',
    'nginx',
    'ini',
    'http',
    'text',
    'unknown',
    '',
  ])
    assert.equal(plain(highlight(code, language)), code, language);
  assert.equal(languageLabel('bash'), 'Shell');
  assert.equal(languageLabel('brainfuck'), 'brainfuck');
});
