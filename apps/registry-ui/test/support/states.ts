import type { Page } from 'playwright-core';

/** Transient states of a screen: menus, toasts, and confirmation dialogs. */
interface States {
  readonly name: string;
  readonly path: string;
  /** Each step leads to the next state. */
  readonly steps: readonly ((page: Page) => Promise<void>)[];
}

const closeByEscape = async (page: Page, role: 'dialog' | 'menu') => {
  await page.keyboard.press('Escape');
  await page.getByRole(role).waitFor({ state: 'hidden' });
};

export const STATES: readonly States[] = [
  {
    name: 'the list',
    path: '/clients',
    steps: [
      async (page) => {
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('menuitem', { name: 'CSV' }).waitFor();
      },
      async (page) => {
        await closeByEscape(page, 'menu');
        await page.getByRole('button', { name: 'Filter' }).click();
        await page.getByLabel('Type of warning').waitFor();
        await page.getByLabel('PKCE method').waitFor();
      },
      async (page) => {
        await closeByEscape(page, 'dialog');
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.getByRole('checkbox', { name: 'PKCE method' }).waitFor();
      },
      async (page) => {
        await closeByEscape(page, 'dialog');
        await page.getByRole('checkbox', { name: 'Select Gift cards' }).click();
        await page.getByRole('button', { name: 'Delete' }).click();
        await page.getByLabel('To confirm, type the number').fill('1');
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor();
      },
      async (page) => {
        await closeByEscape(page, 'dialog');
        await page.getByRole('button', { name: 'Enable' }).click();
        await page.getByText('0 clients enabled').waitFor();
      },
    ],
  },
  {
    name: 'a Client',
    path: '/clients/gift-cards',
    steps: [
      async (page) => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
      },
      async (page) => {
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByLabel("To confirm, type the client's name").fill('Gift cards');
      },
      async (page) => {
        await closeByEscape(page, 'dialog');
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
        await page.getByLabel('Revoke it immediately').check();
      },
    ],
  },
  {
    name: 'a form',
    path: '/register?template=web-confidential',
    steps: [
      async (page) => {
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half done');
        await page.getByRole('link', { name: 'Overview' }).click();
        await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      },
    ],
  },
  {
    name: 'tokens',
    path: '/tokens',
    steps: [
      async (page) => {
        await page.getByRole('button', { name: 'Revoke Nightly export' }).click();
        await page.getByRole('dialog', { name: 'Revoke Nightly export?' }).waitFor();
      },
    ],
  },
];
