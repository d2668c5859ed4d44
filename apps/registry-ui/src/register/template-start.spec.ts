import { supportedFeatures, extendCapabilities } from '@svc/client-metadata';
import { firstFields, startOf } from './template-start.js';

const features = supportedFeatures(
  extendCapabilities({ token_endpoint_auth_method: ['client_secret_basic'], application_type: ['native'] }),
);

test("a template's URLs become examples, its choices become values", () => {
  const template = features.templates.find(({ id }) => id === 'web-confidential');
  const { values, examples } = startOf(template, features.fields);
  expect(values).toEqual({
    code_challenge_method: 'S256',
    token_endpoint_auth_method: 'client_secret_basic',
  });
  expect(Object.keys(examples)).toEqual(['client_name', 'client_uri', 'redirect_uris']);
});

test('no template registers a URL that was not typed', () => {
  for (const template of features.templates) {
    expect(JSON.stringify(startOf(template, features.fields).values)).not.toContain('example');
  }
});

test('without a template, a form starts with the defaults', () => {
  expect(startOf(undefined, features.fields)).toEqual({ values: {}, examples: {} });
});

test.each([
  ['web', ['client_name', 'redirect_uris']],
  ['cookie', ['client_name', 'redirect_uris', 'cookie_entry_uri', 'cookie_domain']],
  [undefined, ['client_name', 'redirect_uris']],
])('the first fields of template %s are what it cannot know', (id, names) => {
  const template = features.templates.find((each) => each.id === id);
  const { first, others } = firstFields(features.fields, startOf(template, features.fields).examples);
  expect(first.map(({ name }) => name)).toEqual(names);
  expect(first.length + others.length).toBe(features.fields.length);
});
