/**
 * A real Chromium, watched: whatever a page says that it should not (errors on the console, reports of the content
 * security policy, requests to another host, answers that failed unasked) is kept, for a test to find nothing.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Download, type Page, type Request } from 'playwright-core';
import { launchOptions, SHARED_BROWSER } from './launch-options.ts';

/** Where screenshots go with `TURNPIKE_PICTURES=1`; git does not see it. */
const PICTURES = join(import.meta.dirname, '..', '..', 'data', 'screenshots');

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const PHONE: Size = { width: 375, height: 812 };
export const DESK: Size = { width: 1440, height: 900 };

let running: Promise<Browser> | null = null;

/** The browser that all test files share, or one of this file's own; `closeBrowser` ends what this file has of it. */
export function openBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER];
  running ??=
    shared === undefined ? launchOptions().then((options) => chromium.launch(options)) : chromium.connect(shared);
  return running;
}

export async function closeBrowser(): Promise<void> {
  const browser = await running;
  running = null;
  await browser?.close();
}

/** A person at a browser of their own: cookies and storage are nobody else's. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Of the gateway, without a path. */
  readonly url: string;
  /** What went wrong, in words. */
  readonly complaints: string[] = [];
  readonly #asked = new Set<Request>();

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context;
    this.page = page;
    this.url = url;
  }

  static async at(
    url: string,
    size: Size = DESK,
    scheme: 'light' | 'dark' = 'light',
    timeZone = 'UTC',
  ): Promise<Person> {
    const browser = await openBrowser();
    const context = await browser.newContext({
      viewport: size,
      colorScheme: scheme,
      timezoneId: timeZone,
      baseURL: url,
      // Certificates of tests are signed by themselves.
      ignoreHTTPSErrors: url.startsWith('https:'),
      // Where the system has none, the browser has no calendar either.
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const person = new Person(context, page, url);
    person.#watch(url);
    return person;
  }

  /** As a link of the page goes there, once there is a page: a whole document takes most of a test's time. */
  async visit(address: string): Promise<void> {
    if (this.page.url() === 'about:blank') await this.page.goto(address);
    else await this.page.evaluate((to) => history.pushState(null, '', to), address);
    await this.settled();
  }

  /**
   * The same person on a new document, in a window of this size: signed in still, while nothing of the last page is in memory and
   * nothing is intercepted any more. Costs a third of what a browser of their own does.
   */
  async anew(address: string, size: Size = DESK, scheme: 'light' | 'dark' = 'light'): Promise<void> {
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.setViewportSize(size);
    await this.page.emulateMedia({ colorScheme: scheme });
    await this.page.goto(address);
    await this.settled();
  }

  /** Once the page has what it asked for: a heading, nothing that loads, no question without an answer; twice in a row. */
  async settled(): Promise<void> {
    const deadline = performance.now() + 10_000;
    for (let calm = 0; calm < 2; ) {
      const isDrawn = await this.page.evaluate(afterTwoFrames);
      calm = isDrawn && this.#asked.size === 0 ? calm + 1 : 0;
      if (performance.now() > deadline)
        throw new Error(`still loading: ${[...this.#asked].map((request) => request.url()).join(', ')}`);
      if (this.#asked.size > 0)
        await Promise.race([...this.#asked].map(async (request) => request.response().catch(() => null)));
    }
  }

  #watch(url: string): void {
    const { host } = new URL(url);
    this.page.on('request', (request) => {
      // A stream of events has no end.
      if (request.resourceType() !== 'eventsource') this.#asked.add(request);
    });
    for (const over of ['requestfinished', 'requestfailed'] as const)
      this.page.on(over as 'requestfinished', (request) => this.#asked.delete(request));
    this.page.on('dialog', (dialog) => {
      this.complaints.push(`a ${dialog.type()}: ${dialog.message()}`);
      void dialog.dismiss();
    });
    this.page.on('console', (message) => {
      // An answer that is an error is told on the console too; the page shows it, and tests look for it there.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isAnswer)
        this.complaints.push(`console ${message.type()}: ${message.text()}`);
    });
    this.page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    this.page.on('request', (request) => {
      const asked = new URL(request.url());
      if (asked.host !== host && asked.protocol.startsWith('http'))
        this.complaints.push(`another host: ${request.url()}`);
      if (asked.pathname.endsWith('/csp-reports')) this.complaints.push(`content policy: ${request.postData()}`);
    });
    this.page.on('response', (response) => {
      if (response.status() >= 500) this.complaints.push(`${response.status()} of ${response.url()}`);
    });
  }

  /**
   * What axe-core finds wrong with the page as it stands, one line a rule; with `rules`, only by those.
   * https://github.com/dequelabs/axe-core
   */
  async barriers(rules: readonly string[] | null = null): Promise<string[]> {
    // What comes through the debugger is not bound by the page's content policy.
    if (await this.page.evaluate(() => !('axe' in globalThis))) await this.page.evaluate(axe.source);
    return this.page.evaluate(async (only) => {
      const { axe: library } = globalThis as unknown as {
        axe: {
          run(options: object): Promise<{
            violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
          }>;
        };
      };
      // What nobody reads is not worked out: it takes most of the time.
      const { violations } = await library.run({
        resultTypes: ['violations'],
        selectors: false,
        // Style sheets are fetched and read again for a rule that is off.
        preload: false,
        ...(only === null ? {} : { runOnly: only }),
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
      );
    }, rules);
  }

  /** How far the page is wider than its window: more than nothing scrolls sideways. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /** For somebody to look at, where they are asked for: painting every page whole takes a fifth of the tests of pages. */
  async picture(name: string, isWhole = true): Promise<void> {
    if (process.env['TURNPIKE_PICTURES'] === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: isWhole });
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

/** What was saved; the browser may be another machine's as far as its files go. */
export async function textOf(download: Download): Promise<string> {
  return text(await download.createReadStream());
}

/** In the page: whether it has a heading and nothing that loads, once what has arrived is drawn and asks for more. */
function afterTwoFrames(): Promise<boolean> {
  // Of a page that waits for its code the heading of the one before is there, hidden.
  const isDrawn = () =>
    document.querySelector('h1')?.checkVisibility() === true &&
    document.querySelector('main [aria-busy="true"]') === null;
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(isDrawn()))));
}
