import { DEFAULT_CAPABILITIES, validateImport, type ClientMetadata } from '@svc/client-metadata';
import { changedFields } from './apply-declarations.js';

function metadataOf(declaration: object): ClientMetadata {
  const validation = validateImport(
    { client_id: 'a', client_name: 'A', redirect_uris: ['https://a.example/cb'], ...declaration },
    DEFAULT_CAPABILITIES,
  );
  if (!validation.valid) throw new Error('not valid');
  return validation.metadata;
}

const before = {
  client_id: 'a',
  ...metadataOf({ client_uri: 'https://a.example/' }),
  enabled: true,
  warnings: [],
};

test('values equal to their defaults are not changes', () => {
  const same = metadataOf({ client_uri: 'https://a.example/', grant_types: ['authorization_code'] });
  expect(changedFields(before, same, undefined)).toEqual([]);
  expect(changedFields(before, same, true)).toEqual([]);
});

test('an omitted field is reset to its default, or removed', () => {
  expect(changedFields({ ...before, code_challenge_method: 'S256' }, metadataOf({}), undefined)).toEqual([
    { field: 'client_uri', before: 'https://a.example/', after: null },
    { field: 'code_challenge_method', before: 'S256', after: 'none' },
  ]);
});

test('enabled is a separate field', () => {
  const same = metadataOf({ client_uri: 'https://a.example/' });
  expect(changedFields(before, same, false)).toEqual([{ field: 'enabled', before: true, after: false }]);
});
