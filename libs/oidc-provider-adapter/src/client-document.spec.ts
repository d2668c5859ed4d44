import { parseClientDocument, parseObject } from './client-document.js';

const SHOP = {
  client_id: 'shop',
  enabled: true,
  redirect_uris: ['https://shop.example/cb'],
  redirect_uri_validation_method: 'full_match',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
};

test('a Client is parsed with all its properties', () => {
  const document = { ...SHOP, cookie_name: 'SvcClient_X' };
  expect(parseClientDocument(JSON.stringify(document), 'shop')).toEqual(document);
});

test('a Client with another id is rejected', () => {
  expect(parseClientDocument(JSON.stringify(SHOP), 'portal')).toBeUndefined();
});

test.each(Object.keys(SHOP))('a Client without %s is rejected', (name) => {
  expect(parseClientDocument(JSON.stringify({ ...SHOP, [name]: undefined }), 'shop')).toBeUndefined();
});

test.each(['', 'null', '[]', '"shop"', '{"client_id":', '1'])('%j is not an object', (text) => {
  expect(parseObject(text)).toBeUndefined();
});
