import { nearestName } from './nearest-name.js';

const NAMES = ['client_name', 'client_uri', 'login_uri'];

test.each([
  ['clientName', 'client_name'],
  ['client-name', 'client_name'],
  ['client_nam', 'client_name'],
  ['cleint_name', 'client_name'],
  ['client_url', 'client_uri'],
  ['CLIENTNAME', 'client_name'],
  ['c-l-i-e-n-t_uri', 'client_uri'],
  ['clnt_name', 'client_name'],
  ['clt_name', undefined],
  ['client_nameee', 'client_name'],
  ['client_nameeee', undefined],
  ['loginxxx', undefined],
  ['colour', undefined],
  ['', undefined],
  ['x'.repeat(65), undefined],
])('%s suggests %s', (text, name) => {
  expect(nearestName(text, NAMES)).toBe(name);
});
