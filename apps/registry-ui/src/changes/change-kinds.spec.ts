import { formatActor } from './change-kinds.js';

const ACTOR = { id: '1', name: 'admin', address: '192.0.2.1' };

test('an actor is shown with the address', () => {
  expect(formatActor(ACTOR)).toBe('by admin from 192.0.2.1');
});

test.each([
  ['redirect URI expiry', 'by the registry (redirect URI expiry)'],
  ['unused client cleanup', 'by the registry (unused client cleanup)'],
  ['approval deadline', 'by the registry (approval deadline)'],
  ['registry', 'by the registry'],
])('the registry itself as %s, which has no address', (name, shown) => {
  expect(formatActor({ id: 'registry', name, address: '' })).toBe(shown);
});

test.each([
  [{ country_code: 'DE', city: 'Berlin', zip: '-', isp: '' }, 'DE, Berlin'],
  [
    { country: { iso_code: 'AT', names: { en: 'Austria' } }, location: { latitude: 47.5 } },
    'AT, Austria, 47.5',
  ],
])('and with the place where the registry knows it: %j', (zone, place) => {
  expect(formatActor({ ...ACTOR, zone })).toBe(`by admin from 192.0.2.1 (${place})`);
});

test('a zone without values is not shown', () => {
  expect(formatActor({ ...ACTOR, zone: { city: '-' } })).toBe('by admin from 192.0.2.1');
});
