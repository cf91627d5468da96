/**
 * A real Chromium, watched: whatever a page says that it should not (errors on the console, reports of the content
 * security policy, requests to another host, answers that failed unasked) is kept, for a test to find nothing.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where screenshots go; git does not see it. */
const PICTURES = join(import.meta.dirname, '..', '..', 'data', 'screenshots');

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const PHONE: Size = { width: 375, height: 812 };
export const DESK: Size = { width: 1440, height: 900 };

let running: Promise<Browser> | null = null;

/** One browser for a test file; `closeBrowser` ends it. */
export function openBrowser(): Promise<Browser> {
  running ??= (async () =>
    chromium.launch({ executablePath: await sparticuz.executablePath(), args: sparticuz.args, headless: true }))();
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
  /** What went wrong, in words. */
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
  }

  static async at(url: string, size: Size = DESK, scheme: 'light' | 'dark' = 'light'): Promise<Person> {
    const browser = await openBrowser();
    const context = await browser.newContext({
      viewport: size,
      colorScheme: scheme,
      baseURL: url,
      permissions: ['clipboard-read', 'clipboard-write'],
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const person = new Person(context, page);
    person.#watch(url);
    return person;
  }

  #watch(url: string): void {
    const { host } = new URL(url);
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

  /** What axe-core finds wrong with the page as it stands, one line a rule. https://github.com/dequelabs/axe-core */
  async barriers(): Promise<string[]> {
    // What comes through the debugger is not bound by the page's content policy.
    await this.page.evaluate(axe.source);
    return this.page.evaluate(async () => {
      const { axe: library } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> };
      };
      const { violations } = await library.run();
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
      );
    });
  }

  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}
