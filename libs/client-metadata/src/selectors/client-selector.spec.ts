import fc from 'fast-check';
import { DEFAULT_CAPABILITIES } from '../fields/capabilities.js';
import {
  validateImport,
  validatePatch,
  validateRegistration,
  validateUpdate,
} from '../validation/validate-request.js';
import {
  ALL_CLIENTS,
  type ClientSelector,
  narrowSelector,
  NO_CLIENTS,
  selects,
  selectsAll,
  sortedSelector,
} from './client-selector.js';

const BODY = { client_name: 'App', redirect_uris: ['https://app.example.com/cb'] };
const CURRENT = { client_id: 'app', ...BODY, labels: { team: 'a', tier: 'gold' } } as never;
const TEAM: ClientSelector = { labels: { team: ['a'] } };
const TEAMS: ClientSelector = { labels: { team: ['a', 'b'] } };

const key = fc.constantFrom('team', 'tier', 'constructor');
const value = fc.constantFrom('a', 'b', 'c', '');
const labels = fc.dictionary(key, value);
const selector: fc.Arbitrary<ClientSelector> = fc
  .record(
    {
      labels: fc.dictionary(key, fc.uniqueArray(value, { minLength: 1 })),
      clientId: fc.constantFrom('x', 'y'),
    },
    { requiredKeys: ['labels'] },
  )
  .map((made) => made as ClientSelector);
const client = fc.record({ clientId: fc.constantFrom('x', 'y'), metadata: fc.record({ labels }) });

/** By sets, written down independently. */
const isSelected = (
  by: ClientSelector,
  { clientId, metadata }: { clientId: string; metadata: { labels: object } },
) => {
  const pairs = new Set(Object.entries(metadata.labels).map(([k, v]) => `${k}\n${v}`));
  const wanted = Object.entries(by.labels).map(([k, values]) => values.map((v) => `${k}\n${v}`));
  return (by.clientId ?? clientId) === clientId && wanted.every((any) => any.some((pair) => pairs.has(pair)));
};

test('a selector selects Clients with one of the values of each label, and the id', () => {
  fc.assert(fc.property(selector, client, (by, one) => selects(by, one) === isSelected(by, one)));
  expect(selects(ALL_CLIENTS, { clientId: 'x', metadata: {} })).toBe(true);
  expect([selectsAll(ALL_CLIENTS), selectsAll({ labels: {} }), selectsAll(TEAM)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('NO_CLIENTS selects none, however it is narrowed', () => {
  fc.assert(
    fc.property(selector, client, (wanted, one) => {
      const narrowed = narrowSelector(NO_CLIENTS, wanted) ?? NO_CLIENTS;
      expect([selects(NO_CLIENTS, one), selects(narrowed, one), selectsAll(narrowed)]).toEqual([
        false,
        false,
        false,
      ]);
    }),
  );
});

test('narrowing selects no Client that either of both does not select', () => {
  fc.assert(
    fc.property(selector, selector, client, (held, wanted, one) => {
      const narrowed = narrowSelector(held, wanted);
      if (!narrowed) return;
      expect(selects(narrowed, one)).toBe(selects(held, one) && selects(wanted, one));
    }),
  );
  expect(narrowSelector(TEAM, TEAMS)).toBeUndefined();
  expect(narrowSelector(TEAMS, TEAM)).toEqual(TEAM);
  expect(narrowSelector(TEAM, ALL_CLIENTS)).toEqual(TEAM);
  expect(narrowSelector({ labels: {}, clientId: 'x' }, { labels: {}, clientId: 'y' })).toBeUndefined();
});

test('a sorted selector selects the same Clients, and is the same text whatever the order was', () => {
  fc.assert(
    fc.property(selector, client, ({ labels: wanted, ...rest }, one) => {
      const entries = Object.entries(wanted).map(([k, values]) => [k, values.toReversed()] as const);
      const reversed = { ...rest, labels: Object.fromEntries(entries.toReversed()) };
      const [sorted, other] = [{ ...rest, labels: wanted }, reversed].map(sortedSelector);
      expect(JSON.stringify(other)).toBe(JSON.stringify(sorted));
      expect(selects(sorted!, one)).toBe(selects(reversed, one));
    }),
  );
});

test('what a restricted caller registers or changes stays within its reach, or is refused', () => {
  const given = fc.oneof(fc.constant(undefined), fc.constant(null), fc.dictionary(key, fc.option(value)));
  const options = { selector: TEAMS };
  let valid = 0;
  fc.assert(
    fc.property(given, (asked) => {
      const body = asked === undefined ? BODY : { ...BODY, labels: asked };
      const results = [
        validateRegistration(body, DEFAULT_CAPABILITIES, options),
        validateUpdate(CURRENT, body, DEFAULT_CAPABILITIES, options),
        validatePatch(CURRENT, body, DEFAULT_CAPABILITIES, options),
        validateImport({ client_id: 'app', ...body }, DEFAULT_CAPABILITIES, options),
        validateImport({ client_id: 'app', ...body }, DEFAULT_CAPABILITIES, { ...options, current: CURRENT }),
      ];
      for (const result of results) {
        if (!result.valid) continue;
        valid += 1;
        expect(['a', 'b']).toContain(result.metadata.labels?.['team']);
      }
    }),
  );
  // Refusing everything would pass, too.
  expect(valid).toBeGreaterThan(50);
});

test('labels of the selector are filled in, and cannot be removed or changed', () => {
  const teamAfter = (labels: unknown, by = TEAM) => {
    const result = validatePatch(CURRENT, { labels }, DEFAULT_CAPABILITIES, { selector: by });
    return result.valid ? result.metadata.labels?.['team'] : result.violations[0]?.message;
  };
  expect(teamAfter(null)).toBe('a');
  expect(teamAfter({ tier: null })).toBe('a');
  expect(teamAfter({ team: 'b' }, TEAMS)).toBe('b');
  const refused = 'labels must include team:a: your token is restricted to such clients';
  expect([teamAfter({ team: null }), teamAfter({ team: 'b' })]).toEqual([refused, refused]);
  const registered = validateRegistration(BODY, DEFAULT_CAPABILITIES, { selector: TEAM });
  expect(registered).toMatchObject({ valid: true, metadata: { labels: { team: 'a' } } });
  expect(validateRegistration(BODY, DEFAULT_CAPABILITIES, { selector: TEAMS })).toMatchObject({
    violations: [{ field: '/labels/team', code: 'outside_token' }],
  });
});

test('a caller restricted to one Client can register no other', () => {
  const selector = { labels: {}, clientId: 'app' };
  const other = validateRegistration(BODY, DEFAULT_CAPABILITIES, { selector });
  expect(other).toMatchObject({ violations: [{ field: '/preferred_client_id', code: 'outside_token' }] });
  const same = { ...BODY, preferred_client_id: 'app' };
  expect(validateRegistration(same, DEFAULT_CAPABILITIES, { selector }).valid).toBe(true);
  const record = { ...BODY, client_id: 'other' };
  expect(validateImport(record, DEFAULT_CAPABILITIES, { selector })).toMatchObject({
    violations: [{ field: '/client_id', code: 'outside_token' }],
  });
});
