import type { Locator } from 'playwright-core';
import { startTour } from './support/console-tour.js';

const tour = startTour();

/** How an element is drawn, as far as a contrast theme leaves it to the page. */
const drawn = async (target: Locator) => (await target.screenshot()).toString('base64');

type Style = Readonly<Record<'outlineStyle' | 'backgroundColor', string>>;

const styleOf = async (target: Locator, property: keyof Style) =>
  target.evaluate((element, name) => {
    const { getComputedStyle } = globalThis as unknown as { getComputedStyle: (of: unknown) => Style };
    return getComputedStyle(element)[name];
  }, property);

beforeEach(async () => tour.page.emulateMedia({ forcedColors: 'active' }));

test('in a contrast theme it is seen which boxes, rows and places are chosen', async () => {
  for (const name of ['Chosen', 'Other']) await tour.registry.register({ client_name: name });
  await tour.open('/clients');
  const box = (name: string) => tour.page.getByRole('checkbox', { name: `Select ${name}` });
  await box('Chosen').click();
  await tour.page.mouse.move(0, 0);
  await tour.page.getByRole('heading', { level: 1 }).focus();
  expect(await drawn(box('Chosen'))).not.toBe(await drawn(box('Other')));
  const outlineOf = async (name: string) =>
    styleOf(tour.page.getByRole('row', { name: new RegExp(name) }), 'outlineStyle');
  expect([await outlineOf('Chosen'), await outlineOf('Other')]).toEqual(['solid', 'none']);
  const places = tour.page.getByRole('navigation', { name: 'Navigation' });
  const backgroundOf = async (place: string) =>
    styleOf(places.getByRole('link', { name: place }), 'backgroundColor');
  expect(await backgroundOf('Clients')).not.toBe(await backgroundOf('Changes'));
});

test('in a contrast theme it is seen which radio buttons, tabs and inputs are chosen', async () => {
  const id = await tour.registry.register({ client_name: 'Themed' });
  await tour.open(`/clients/${id}/edit`);
  const radio = (name: string) => tour.page.getByRole('radio', { name, exact: true });
  await radio('full_match').waitFor();
  expect(await drawn(radio('full_match'))).not.toBe(await drawn(radio('prefix_match')));
  const name = tour.page.getByRole('textbox', { name: 'Name', exact: true });
  const before = await styleOf(name, 'outlineStyle');
  await name.focus();
  expect([before, await styleOf(name, 'outlineStyle')]).toEqual(['none', 'solid']);
});
