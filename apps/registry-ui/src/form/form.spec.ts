import { supportedFeatures, extendCapabilities } from '@svc/client-metadata';
import type { FeatureField } from '../api/client-documents.js';
import { WEB_CLIENT } from './form.fixture.js';
import { inputFields, toBody, toFormValues } from './form-values.js';
import { readPastedEntries, readPastedUris } from './pasted-uris.js';

const features = supportedFeatures(extendCapabilities({ default_cookie_domain: 'example.com' }));
const fields = inputFields(features.fields, 'edit');

test('a form has inputs for all editable fields, and for the preferred id at registration only', () => {
  const names = (of: readonly FeatureField[]) => of.map(({ name }) => name);
  expect(names(fields)).not.toContain('preferred_client_id');
  expect(names(inputFields(features.fields, 'register'))).toContain('preferred_client_id');
  expect(names(fields)).not.toContain('client_secret');
});

test('an empty form has the defaults of the table and the configuration', () => {
  expect(toFormValues(fields, {})).toMatchObject({
    client_name: '',
    redirect_uris: [''],
    grant_types: ['authorization_code'],
    cookie_domain: 'example.com',
  });
});

test('an unedited client leaves the form unchanged', () => {
  const client = {
    ...WEB_CLIENT,
    cookie_domain: 'example.com',
    authorize_anonymous_users: false,
    session_expiration: 3600,
  };
  expect(toBody(fields, toFormValues(fields, client), client)).toEqual(client);
});

test('empty values are omitted', () => {
  const body = toBody(fields, { client_name: ' Shop ', client_uri: '  ', redirect_uris: ['', 'a:b', ' '] });
  expect(body).toEqual({ client_name: 'Shop', redirect_uris: ['a:b'] });
});

test.each([
  ['https://a.example/1\r\nhttps://a.example/2\n', ['https://a.example/1', 'https://a.example/2']],
  ['https://a.example/1, https://a.example/2', ['https://a.example/1', 'https://a.example/2']],
  ['["https://a.example/1","https://a.example/2"]', ['https://a.example/1', 'https://a.example/2']],
  ['https://a.example/?q=1,2;3', ['https://a.example/?q=1,2;3']],
  ['  https://a.example/1  ', ['https://a.example/1']],
  ['com.example.app:/cb', ['com.example.app:/cb']],
  ['http://127.0.0.1\nhttp://[::1]', ['http://127.0.0.1', 'http://[::1]']],
  ['["http://[::1]/cb", "http://[::1]"],', ['http://[::1]/cb', 'http://[::1]']],
])('%j is pasted as %j', (text, uris) => {
  expect(readPastedUris(text)).toEqual({ entries: uris, invisible: 0 });
});

test.each([
  [
    'Jane Doe <jane@a.example>\nJohn <john@a.example>',
    ['Jane Doe <jane@a.example>', 'John <john@a.example>'],
  ],
  ['jane@a.example, john@a.example;', ['jane@a.example', 'john@a.example']],
  ['["team:shop", "tier:gold"]', ['team:shop', 'tier:gold']],
  ['[\n  "team:shop",\n  \'tier:gold\'\n]\n', ['team:shop', 'tier:gold']],
  ['"team:shop",\n"tier:gold"\n]', ['team:shop', 'tier:gold']],
  ['["team:shop", "tier:gold"],', ['team:shop', 'tier:gold']],
  ['[\n"team:shop",\n"tier:gold",', ['team:shop', 'tier:gold']],
  [
    '"Jane Doe" <jane@a.example>\n"Roe, John" <john@a.example>, John \'J\'',
    ['"Jane Doe" <jane@a.example>', '"Roe, John" <john@a.example>', "John 'J'"],
  ],
  ['"Jane" or "John"; \'t Hooft', ['"Jane" or "John"', "'t Hooft"]],
  ['Jane "JD, John', ['Jane "JD', 'John']],
  ['5" disk, 8" disk', ['5" disk', '8" disk']],
])('of a list that is not one of URIs, %j is pasted as %j', (text, uris) => {
  expect(readPastedEntries(text)).toEqual({ entries: uris, invisible: 0 });
});

test('invisible characters are removed and counted', () => {
  expect(readPastedUris('\ufeffhttps://a.example/\u200bcb\u200b')).toEqual({
    entries: ['https://a.example/cb'],
    invisible: 3,
  });
});

test('labels are edited as key:value, one per row', () => {
  const labels = fields.filter(({ name }) => name === 'labels');
  expect(toFormValues(labels, { labels: { team: 'shop', tier: '' } })).toEqual({
    labels: ['team:shop', 'tier:'],
  });
  expect(toFormValues(labels, {})).toEqual({ labels: [''] });
  expect(toBody(labels, { labels: [' team: web ', '', 'tier'] })).toEqual({
    labels: { team: 'web', tier: '' },
  });
  expect(toBody(labels, { labels: [''] })).toEqual({});
});

test('keys are edited as JSON; text that is not is sent as it is, for the validation to reject', () => {
  const { fields: all } = supportedFeatures(extendCapabilities({ optional_fields: ['jwks'] }));
  const keys = all.filter(({ name }) => name === 'jwks');
  const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA' }] };
  const values = toFormValues(keys, { jwks });
  expect(toBody(keys, values, { jwks })).toEqual({ jwks });
  expect(toBody(keys, toFormValues(keys, {}))).toEqual({});
  expect(toBody(keys, { jwks: '{' })).toEqual({ jwks: '{' });
});
