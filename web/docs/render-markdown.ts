/** Renders a page's Markdown to HTML, and extracts its title, headings and the sections for search. */
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';
import { highlight, languageLabel } from './highlight.ts';
import { cleanHtml, textOfHtml } from './raw-html.ts';
import { newSlugger } from './slug.ts';

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

/** The text below a heading. The first section of a page has its title and no anchor. */
export interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly titleAnchor: string;
  /** The first paragraph of some length, as text. */
  readonly opening: string;
  /** The same in at most 160 characters. */
  readonly description: string;
  /** Its first sentence, whole; a very short one with the next. Empty without an opening. */
  readonly summary: string;
  /** Does not include the title. */
  readonly html: string;
  /** All but the title. */
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

export interface PageLinks {
  /** The address for a link in Markdown; null renders its text only. */
  readonly link: (href: string) => string | null;
  readonly image: (href: string) => { readonly src: string; readonly width?: number; readonly height?: number } | null;
}

const DESCRIPTION_MAX = 160;
const OPENING_MIN = 40;
const LONG_CODE = 14;

export function renderMarkdown(markdown: string, links: PageLinks): RenderedPage {
  const anchors = new Map<Token, string>();
  const marked = new Marked({ gfm: true, renderer: rendererOf(anchors, links) });
  const tokens = marked.lexer(markdown);
  const slug = newSlugger();
  for (const token of tokens) if (token.type === 'heading') anchors.set(token, slug(textOf([token])));
  const title = tokens.find((token) => token.type === 'heading' && token.depth === 1);
  const body = tokens.filter((token) => token !== title);
  const headings = body
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((token) => ({ depth: token.depth, text: textOf([token]), anchor: anchors.get(token) ?? '' }));
  const paragraphs = body.filter((token) => token.type === 'paragraph').map(asLine);
  // A date and a status alone do not describe a page.
  const opening = paragraphs.find((line) => line.length >= OPENING_MIN) ?? paragraphs[0] ?? '';
  return {
    title: title === undefined ? '' : textOf([title]),
    titleAnchor: (title && anchors.get(title)) ?? '',
    opening,
    description: shortened(opening),
    summary: firstSentence(opening),
    html: marked.parser(Object.assign(body, { links: tokens.links })),
    headings,
    sections: sectionsOf(body, title === undefined ? '' : textOf([title]), anchors),
  };
}

function rendererOf(anchors: ReadonlyMap<Token, string>, links: PageLinks) {
  return {
    heading(this: { parser: { parseInline(tokens: Token[]): string } }, token: Tokens.Heading): string {
      const anchor = escapeHtml(anchors.get(token) ?? '');
      // A page has one h1.
      const depth = Math.max(2, token.depth);
      const label = `Link to “${escapeHtml(textOf([token]))}”`;
      const inner = this.parser.parseInline(token.tokens);
      return `<h${depth} id="${anchor}">${inner}<a class="anchor" href="#${anchor}" aria-label="${label}"></a></h${depth}>\n`;
    },
    code({ text, lang = '' }: Tokens.Code): string {
      const language = lang.split(/\s/, 1)[0] ?? '';
      return codeBlock(text, language);
    },
    codespan({ text }: Tokens.Codespan): string {
      // The name of a flag is not broken at its hyphens.
      return /^--[\w-]{1,24}$/.test(text) ? `<code class="whole">${text}</code>` : `<code>${breakable(text)}</code>`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return cleanHtml(text);
    },
    link(this: { parser: { parseInline(tokens: Token[]): string } }, { href, tokens }: Tokens.Link): string {
      const inner = this.parser.parseInline(tokens);
      const address = links.link(href);
      if (address === null) return inner;
      const outside = /^https?:/.test(address) ? ' rel="noopener noreferrer"' : '';
      return `<a href="${escapeHtml(address)}"${outside}>${inner}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      const image = links.image(href);
      if (image === null) return escapeHtml(text);
      const size = image.width === undefined ? '' : ` width="${image.width}" height="${image.height}"`;
      return `<img src="${escapeHtml(image.src)}" alt="${escapeHtml(text)}"${size} loading="lazy" decoding="async">`;
    },
    table(this: { parser: { parseInline(tokens: Token[]): string } }, { header, rows }: Tokens.Table): string {
      const cells = (row: readonly Tokens.TableCell[], name: 'th' | 'td'): string =>
        `<tr>${row.map((cell) => tableCell(cell, name, this.parser.parseInline(cell.tokens))).join('')}</tr>`;
      const body = rows.map((row) => cells(row, 'td')).join('\n');
      // A scrollable box must be reachable with the keyboard.
      return `<div class="table-box" tabindex="0"><table><thead>${cells(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  };
}

/** Long names may be broken at their joints, so that a column of them leaves room for the others. */
function breakable(code: string): string {
  const html = escapeHtml(code);
  return code.length <= LONG_CODE ? html : html.replace(/(?<=[\w\]][._/])(?=\w)/g, '<wbr>');
}

function tableCell({ align }: Tokens.TableCell, name: 'th' | 'td', inner: string): string {
  // An empty header cell labels nothing.
  const tag = name === 'th' && inner === '' ? 'td' : name;
  return `<${tag}${align === null ? '' : ` class="align-${align}"`}>${inner}</${tag}>`;
}

/** A code block with its language and a copy button, which the page's script shows; of a console block it copies the commands only. */
export function codeBlock(code: string, language: string): string {
  const label = languageLabel(language);
  return (
    `<figure class="code${language === 'console' ? ' is-console' : ''}"><figcaption><span>${escapeHtml(label)}</span>` +
    '<button type="button" class="copy" hidden>Copy</button></figcaption>' +
    `<pre tabindex="0"><code>${highlight(code, language)}</code></pre></figure>\n`
  );
}

/** One section per heading, down to the third level. */
function sectionsOf(body: readonly Token[], title: string, anchors: ReadonlyMap<Token, string>): readonly Section[] {
  const sections: { heading: string; anchor: string; words: string[] }[] = [{ heading: title, anchor: '', words: [] }];
  for (const token of body) {
    if (token.type === 'heading' && token.depth <= 3)
      sections.push({ heading: textOf([token]), anchor: anchors.get(token) ?? '', words: [] });
    else sections.at(-1)?.words.push(textOf([token]));
  }
  return sections.map(({ heading, anchor, words }) => ({
    heading,
    anchor,
    text: words.filter(Boolean).join(' ').replace(/\s+/g, ' ').trim(),
  }));
}

/** Plain text: without markup, tags and comments; cells and items are separated by white space. */
function textOf(tokens: readonly Token[]): string {
  return tokens.map(textOfToken).join('');
}

function textOfToken(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((cell) => textOf(cell.tokens)).join(' ')).join('\n');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join('\n');
  if (token.type === 'html') return textOfHtml(token.raw);
  if (token.type === 'image') return (token as Tokens.Image).text;
  if (token.type === 'br') return ' ';
  if (token.type === 'space' || token.type === 'hr' || token.type === 'def') return '\n';
  const inner = (token as Tokens.Generic).tokens;
  if (inner !== undefined) return textOf(inner);
  return 'text' in token ? decoded(token.text) : '';
}

/** Character references that occur in our Markdown. */
function decoded(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&');
}

function asLine(token: Token): string {
  return textOf([token]).replace(/\s+/g, ' ').trim();
}

/** Cut at a sentence if enough is left, otherwise at a word. */
function shortened(line: string): string {
  if (line.length <= DESCRIPTION_MAX) return line.replace(/:$/, '.');
  const cut = line.slice(0, DESCRIPTION_MAX - 1);
  const sentence = cut.lastIndexOf('. ');
  if (sentence > DESCRIPTION_MAX / 3) return cut.slice(0, sentence + 1);
  return `${cut.slice(0, cut.lastIndexOf(' '))}…`;
}

/** A sentence ends before a capital, so `e.g. one` and `1.2.3` do not end it. */
function firstSentence(line: string): string {
  const end = [...line.matchAll(/[.!?:](?= +["“(]?\p{Lu})/gu)].find(({ index }) => index >= OPENING_MIN)?.index;
  return (end === undefined ? line : line.slice(0, end + 1)).replace(/[:,]$/, '.');
}
