import { withoutTemporaryUris } from '../fields/temporary-uris.js';
import { parseCsvRows } from './parse-csv.js';
import { convert, declarations, sample } from '../../test/convert-samples.js';

describe('CSV', () => {
  test('columns are our fields; a list has a line per entry; a missing id is new', () => {
    const clients = convert('csv', parseCsvRows(sample('clients.csv')));
    expect(declarations(clients)).toEqual([
      {
        client_id: 'intranet',
        client_name: 'Intranet',
        redirect_uris: ['https://intranet.example.com/cb', 'https://intranet.example.com/silent'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_basic',
        code_challenge_method: 'S256',
        enabled: true,
      },
      {
        client_id: 'new-id',
        client_name: 'Visitors',
        redirect_uris: ['https://visitors.example.com/cb'],
        token_endpoint_auth_method: 'none',
        code_challenge_method: 'S256',
        enabled: false,
      },
    ]);
    expect(clients.map(({ newId }) => newId)).toEqual([false, true]);
  });

  test('labels have a line each, or are JSON', () => {
    const labels = (cell: string) =>
      convert('csv', [{ client_name: 'A', redirect_uris: 'https://a.example/', labels: cell }])[0];
    expect(labels('team:shop\ntier:')?.declaration?.['labels']).toEqual({ team: 'shop', tier: '' });
    expect(labels('{"team":"shop"}')?.declaration?.['labels']).toEqual({ team: 'shop' });
    expect(labels('{"team":')?.violations.map(({ field }) => field)).toEqual(['/labels']);
  });

  test('an unknown column does not fit', () => {
    const [client] = convert('csv', [{ client_name: 'A', redirect_uri: 'https://a.example/' }]);
    expect(client?.violations.map(({ message }) => message)).toContain(
      "'redirect_uri' is not a field of a client; did you mean redirect_uris?",
    );
  });

  test('redirect URIs that end are still marked as such', () => {
    const ends = [
      { redirect_uri: 'https://pr-1.example/', expires_at: '2027-01-01T00:00:00.000Z', note: 'PR "1"' },
      { redirect_uri: 'https://pr-2.example/', expires_at: '2027-01-02T00:00:00.000Z' },
    ];
    const [client] = convert('csv', [
      {
        client_name: 'A',
        redirect_uris: 'https://a.example/\nhttps://pr-1.example/\nhttps://pr-2.example/',
        temporary_redirect_uris: ends.map((end) => JSON.stringify(end)).join('\n'),
      },
    ]);
    expect(client).toMatchObject({ result: 'imported', dropped: [] });
    expect(client?.declaration).toMatchObject({ temporary_redirect_uris: ends });
    expect(withoutTemporaryUris(client?.declaration, [])?.['redirect_uris']).toEqual(['https://a.example/']);
    const [json] = convert('csv', [
      { client_id: 'a', redirect_uris: 'https://a.example/', temporary_redirect_uris: JSON.stringify(ends) },
    ]);
    expect(json?.declaration).toMatchObject({ temporary_redirect_uris: ends });
  });

  test('a Client whose grant types do not redirect needs no response type; others get the default', () => {
    const [machine, shop] = convert('csv', [
      {
        ...{ client_id: 'machine', grant_types: 'client_credentials', response_types: '' },
        token_endpoint_auth_method: 'client_secret_basic',
      },
      { client_id: 'shop', grant_types: '', response_types: '', redirect_uris: 'https://a.example/' },
    ]);
    expect([machine?.violations, machine?.declaration?.['response_types']]).toEqual([[], []]);
    expect([shop?.violations, shop?.declaration?.['response_types']]).toEqual([[], undefined]);
  });

  test("the registry's protection against formulas is removed", () => {
    const [client] = convert('csv', [{ client_name: "'=Sum", redirect_uris: 'https://a.example/' }]);
    expect(client?.declaration?.['client_name']).toBe('=Sum');
  });
});
