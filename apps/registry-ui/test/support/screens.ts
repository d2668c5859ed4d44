import type { Page } from 'playwright-core';
import type { Registry } from './registry.js';

/** A screen and its path. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Text that is shown once the screen is complete. */
  readonly drawn: string;
  /** Whether the documentation has a screenshot of it. */
  readonly pictured?: false;
}

/** All screens, with the data of `fillRegistry`. */
export const SCREENS: readonly Screen[] = [
  { name: 'overview', path: '/', drawn: 'Warnings by type' },
  { name: 'clients', path: '/clients', drawn: 'Gift cards' },
  { name: 'changes', path: '/changes', drawn: 'Live' },
  { name: 'client', path: '/clients/gift-cards', drawn: 'Redirects' },
  { name: 'history', path: '/clients/gift-cards?tab=history', drawn: 'Secret rotated' },
  {
    name: 'client-tests',
    path: '/clients/gift-cards?tab=tests',
    drawn: 'Requested redirect URI',
    pictured: false,
  },
  {
    name: 'redirects',
    path: '/redirects?client=gift-cards&uri=https://gift-cards.example.com/call',
    drawn: 'registered URI',
  },
  { name: 'cookies', path: '/cookies', drawn: 'checkout.example.com' },
  { name: 'recommendations', path: '/recommendations', drawn: 'No recommendations yet', pictured: false },
  { name: 'activity', path: '/activity', drawn: 'No activity yet', pictured: false },
  { name: 'deleted', path: '/deleted', drawn: 'No deleted clients', pictured: false },
  { name: 'tokens', path: '/tokens', drawn: 'Nightly export' },
  { name: 'features', path: '/features', drawn: 'Intentional deviations' },
  { name: 'templates', path: '/register', drawn: 'Something else' },
  { name: 'form', path: '/register?template=web-confidential', drawn: 'Redirect URIs', pictured: false },
  {
    name: 'usage',
    path: '/clients/gift-cards?tab=usage',
    drawn: 'Redirect URIs by use',
    pictured: false,
  },
  { name: 'quickstarts', path: '/clients/gift-cards?tab=snippets', drawn: 'openid-client', pictured: false },
  { name: 'json', path: '/clients/gift-cards?tab=json', drawn: 'client_id_issued_at', pictured: false },
  { name: 'file', path: '/import', drawn: 'or drop it here', pictured: false },
];

/** A screen after some steps: forms, dialogs, secrets. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  reach(page: Page, registry: Registry): Promise<void>;
}

export const SCENES: readonly Scene[] = [
  {
    name: 'account',
    path: '/clients',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByText('All clients').waitFor();
    },
  },
  {
    name: 'keys',
    path: '/clients',
    reach: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
      await page.getByText('Select a row').waitFor();
    },
  },
  {
    name: 'sign-in',
    path: '/clients',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: 'bulk',
    path: '/clients',
    reach: async (page) => {
      const boxes = page.locator('tbody').getByRole('checkbox');
      await boxes.nth(2).click();
      await boxes.nth(5).click({ modifiers: ['Shift'] });
      await page.getByText('4 selected').waitFor();
    },
  },
  {
    name: 'client-tests',
    path: '/clients/gift-cards?tab=tests',
    reach: async (page) => {
      await page.getByLabel('Requested redirect URI').fill('https://gift-cards.example.com/app/return');
      await page.getByText('Accepted', { exact: true }).waitFor();
    },
  },
  {
    name: 'jump',
    path: '/clients',
    reach: async (page) => {
      await page.getByRole('link', { name: 'Gift cards' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Search for a page/ }).fill('gift');
      await page.getByRole('dialog').getByText('Gift cards').waitFor();
    },
  },
  {
    name: 'register',
    path: '/register?template=web-confidential',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Storefront');
      const uri = page.getByRole('textbox', { name: 'Redirect URIs, 1', exact: true });
      await uri.fill('http://storefront.example/cb');
      await page.getByText('1 issue').first().waitFor();
      await uri.evaluate((input) => input.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'secret',
    path: '/register?template=web-confidential',
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Storefront');
      await page
        .getByRole('textbox', { name: 'Redirect URIs, 1', exact: true })
        .fill('https://storefront.example/cb');
      await page.getByRole('button', { name: 'Register', exact: true }).click();
      await page.getByRole('status', { name: 'Client secret' }).waitFor();
    },
  },
  {
    name: 'edit',
    path: '/clients/gift-cards',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Edit Redirects' }).click();
      const uri = page.getByRole('textbox', { name: 'Redirect URIs, 1', exact: true });
      await uri.fill('https://gift-cards.example.com/signed-in/');
      await page.getByText('Unsaved changes in Redirects').waitFor();
      await uri.evaluate((input) => input.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'fix',
    path: '/clients/gift-cards',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Fix', exact: true }).first().click();
      const apply = page.getByRole('button', { name: 'Apply fix' });
      await apply.evaluate((button) => button.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'advanced',
    path: '/register?template=web',
    reach: async (page) => {
      await page.getByRole('button', { name: /^Advanced settings/ }).click();
      await page.getByRole('button', { name: 'About PKCE method' }).click();
      await page
        .getByRole('link', { name: /RFC 7636/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'merge',
    path: '/clients/help-centre',
    reach: async (page, registry) => {
      await page.getByRole('button', { name: 'Edit Identity' }).click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Help and advice');
      await registry.ask('PATCH', '/client/help-centre', {
        client_name: 'Help desk',
        redirect_uris: ['https://help-centre.example.com/callback', 'https://help.example.com/callback'],
      });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Someone else has changed this client').waitFor();
    },
  },
  {
    name: 'rotate',
    path: '/clients/gift-cards',
    reach: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
      await page.getByLabel('24 hours').waitFor();
    },
  },
  {
    name: 'import',
    path: '/import',
    reach: async (page, registry) => {
      const { clients } = await registry.ask<{ clients: Record<string, unknown>[] }>(
        'GET',
        '/client?limit=100',
      );
      const [renamed, disabled, ...others] = clients;
      const added = {
        client_id: 'returns',
        client_name: 'Returns',
        redirect_uris: ['https://returns.example/cb'],
      };
      const lines = [
        { ...renamed, client_name: 'Renamed' },
        { ...disabled, enabled: false },
        ...others,
        added,
      ];
      const content = lines.map((line) => JSON.stringify(line)).join('\n');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'clients.ndjson', mimeType: '', buffer: Buffer.from(content) });
      await page.getByRole('button', { name: /^Import \d changes/ }).waitFor();
    },
  },
];
