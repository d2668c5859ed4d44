import {
  NO_RESTRICTIONS,
  restrictionsOf,
  restrictionViolations,
  toRestrictions,
} from './token-restrictions.js';
import type { TokenDocument } from './tokens.js';

test('blank inputs restrict nothing', () => {
  expect(toRestrictions({ ...NO_RESTRICTIONS, networks: ' \n', client_id: ' ' })).toEqual({});
  expect(restrictionViolations(NO_RESTRICTIONS)).toEqual({});
});

test('values of a repeated label are alternatives, and a value may have colons', () => {
  const inputs = {
    ...NO_RESTRICTIONS,
    selector: 'team:shop\nteam: pay\n\nurn:a:b\nteam:shop',
    networks: '10.0.0.0/8\n ::1 ',
    max_uses: ' 7 ',
  };
  expect(toRestrictions(inputs)).toEqual({
    selector: { team: ['shop', 'pay'], urn: ['a:b'] },
    networks: ['10.0.0.0/8', '::1'],
    max_uses: 7,
  });
});

test.each(['ten', '-1', '1.5', '1e3', '0x10'])('the count %s is a violation, not "unlimited"', (max_uses) => {
  expect(restrictionViolations({ ...NO_RESTRICTIONS, max_uses })).toHaveProperty('max_uses');
});

test.each(['team', 'team:', ':shop'])('the label %s is a violation', (selector) => {
  expect(restrictionViolations({ ...NO_RESTRICTIONS, selector })).toHaveProperty('selector');
});

test('the restrictions of a token are listed', () => {
  const token = { selector: { team: ['shop', 'pay'] }, networks: ['::1'], max_uses: 7, uses: 2 };
  expect(restrictionsOf(token as unknown as TokenDocument)).toEqual([
    'team=shop|pay',
    'from ::1',
    '2 of 7 requests used',
  ]);
});
