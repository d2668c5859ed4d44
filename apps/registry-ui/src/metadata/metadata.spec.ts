import { CLIENT_FIELDS, extendCapabilities, supportedFeatures } from '@svc/client-metadata';
import { referencesIn } from './references.js';
import { sectionsOf } from './sections.js';

const { fields } = supportedFeatures(
  extendCapabilities({
    optional_fields: CLIENT_FIELDS.filter(({ optional }) => optional).map(({ name }) => name),
  }),
);

test('every field of the table is in exactly one section', () => {
  const shown = sectionsOf(fields).flatMap((section) => section.fields.map(({ name }) => name));
  expect(shown.toSorted()).toEqual(CLIENT_FIELDS.map(({ name }) => name).toSorted());
});

test('a field by language follows the field', () => {
  const localized = supportedFeatures(extendCapabilities({ languages: ['de', 'cs'] }));
  const [identity] = sectionsOf(localized.fields);
  expect(identity?.fields.slice(0, 3).map(({ name }) => name)).toEqual([
    'client_name',
    'client_name#de',
    'client_name#cs',
  ]);
});

test('an unknown field is in the last section', () => {
  const added = { ...fields[0]!, name: 'software_id' };
  expect(sectionsOf([...fields, added]).at(-1)?.fields).toContain(added);
});

test('a section without fields is omitted', () => {
  expect(sectionsOf(fields.slice(1, 2)).map(({ id }) => id)).toEqual(['identity']);
});

test('citations link to the cited sections', () => {
  expect(referencesIn('RFC 7591 section 2; RFC 6749 section 3.1.2')).toEqual([
    { text: 'RFC 7591 section 2', href: 'https://www.rfc-editor.org/rfc/rfc7591.html#section-2' },
    { text: '; ' },
    { text: 'RFC 6749 section 3.1.2', href: 'https://www.rfc-editor.org/rfc/rfc6749.html#section-3.1.2' },
  ]);
  expect(referencesIn('this registry')).toEqual([{ text: 'this registry' }]);
  expect(referencesIn('OpenID Connect Dynamic Client Registration 1.0 section 2')).toMatchObject([
    { href: 'https://openid.net/specs/openid-connect-registration-1_0.html' },
  ]);
});
