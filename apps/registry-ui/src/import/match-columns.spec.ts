import { matchColumns } from './match-columns.js';

const TARGETS = [
  { name: 'client_id', label: 'Client ID' },
  { name: 'client_name', label: 'Name' },
  { name: 'client_name#de', label: 'Name (de)' },
  { name: 'redirect_uris', label: 'Redirect URIs' },
  { name: 'code_challenge_method', label: 'PKCE' },
];

test.each([
  [
    ['client_id', 'client_name', 'redirect_uris'],
    ['client_id', 'client_name', 'redirect_uris'],
  ],
  [
    ['ID', 'Application name', 'Callback URL', 'Owner'],
    ['client_id', 'client_name', 'redirect_uris', undefined],
  ],
  [
    ['Client ID', 'Name', 'Redirect URIs', 'client_name#de'],
    ['client_id', 'client_name', 'redirect_uris', 'client_name#de'],
  ],
  // No field twice, and none that the registry does not support.
  [
    ['name', 'app', 'constructor', 'e-mail'],
    ['client_name', undefined, undefined, undefined],
  ],
])('%j become %j', (columns, fields) => {
  expect(matchColumns(columns, TARGETS)).toEqual(fields);
});
