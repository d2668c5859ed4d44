import { neededPart, parseAuthorizationUrl } from './parse-authorization-url.js';

const AUTHORIZE = 'https://login.example/authorize';
const GOOD = `${AUTHORIZE}?client_id=shop&redirect_uri=https%3A%2F%2Fshop.example%2Fcb&state=private`;

const read = (text: string) => {
  const found = parseAuthorizationUrl(text);
  if ('code' in found) throw new Error(found.code);
  return found;
};

test.each([
  ['the whole address', GOOD],
  ['in the brackets of a mail', `<${GOOD}>`],
  ['in quotes, with spaces around', ` "${GOOD}" \n`],
  ['wrapped into lines', GOOD.replace('&redirect', '\r\n  &redirect')],
  ['its query', `?${GOOD.split('?')[1]}`],
  ['the form data of a POST', GOOD.split('?')[1] ?? ''],
])('%s is read, without the values that no check needs', (_case, text) => {
  expect(read(text)).toEqual({
    clientId: 'shop',
    parameters: { client_id: 'shop', redirect_uri: 'https://shop.example/cb', state: '' },
    notes: [],
  });
});

test.each(['request', 'request_uri'])('%s without a value counts as omitted', (name) => {
  expect(read(`${GOOD}&${name}=`)).toEqual(read(GOOD));
  expect(read(neededPart(`${GOOD}&${name}=`))).toEqual(read(GOOD));
});

test.each([
  ['shop does not work', 'not_a_url'],
  ['', 'not_a_url'],
  ['ftp://login.example/?client_id=shop', 'not_a_url'],
  [AUTHORIZE, 'no_parameters'],
  [`${AUTHORIZE}?scope=openid`, 'client_id_missing'],
  [`${AUTHORIZE}?client_id=&scope=openid`, 'client_id_missing'],
  [`${AUTHORIZE}#client_id=shop`, 'fragment'],
  [`${AUTHORIZE}?client_id%3Dshop%26state%3Dprivate`, 'encoded_twice'],
  ['https://shop.example/cb?code=private&state=private', 'response'],
  [
    `${AUTHORIZE}?client_id=shop&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Aprivate`,
    'request_uri',
  ],
  [`${AUTHORIZE}?client_id=shop&request=private`, 'request'],
])('%j says nothing that can be checked: %s', (text, code) => {
  const found = parseAuthorizationUrl(text);
  expect(found).toEqual({ code, message: expect.any(String) as string });
  expect(JSON.stringify(found)).not.toContain('private');
  // Nor is more found in the part that is sent, or any value in it.
  expect(parseAuthorizationUrl(neededPart(text))).toEqual(found);
  expect(neededPart(text)).not.toContain('private');
});

test.each([
  [`${GOOD}#private`, ['fragment']],
  [`${AUTHORIZE}?client_id=shop&redirect_uri=https%253A%252F%252Fshop.example`, ['encoded_twice']],
  [`${GOOD}&response_mode=form_post`, ['response_mode']],
  [`${GOOD}&response_mode=query&response_type=code+token`, ['response_mode']],
  [`${GOOD}&response_mode=popup`, ['response_mode']],
])('%s is read with a note', (text, codes) => {
  const found = read(text);
  expect(found.notes.map(({ code }) => code)).toEqual(codes);
  expect(read(neededPart(text))).toEqual(found);
});

test('a parameter that is repeated, or that no server accepts, stays so', () => {
  const text = `${GOOD}&state=again&nonce=%00private&client_id=other`;
  expect(read(text).parameters).toMatchObject({
    client_id: ['shop', 'other'],
    state: ['', ''],
    nonce: '\0',
  });
  expect(read(neededPart(text))).toEqual(read(text));
  expect(neededPart(text)).not.toContain('private');
});

test.each([
  ['spaces', `?client_id=shop&state=${' '.repeat(32_000)}x`],
  ['line breaks', `?client_id=shop&state=${'\n '.repeat(16_000)}x`],
  ['one parameter again and again', `?client_id=shop${'&a'.repeat(16_000)}`],
])('a URL of as many %s as the registry accepts is read in linear time', (_case, text) => {
  expect(read(text).clientId).toBe('shop');
  expect(read(neededPart(text))).toEqual(read(text));
  let leastMs = Infinity;
  for (let round = 0; round < 3; round += 1) {
    const start = process.cpuUsage();
    read(text);
    read(neededPart(text));
    leastMs = Math.min(leastMs, process.cpuUsage(start).user / 1_000);
  }
  // A few milliseconds; quadratic time took a second.
  expect(leastMs).toBeLessThan(400);
});
