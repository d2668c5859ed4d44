import type { ClientMetadata } from '@svc/client-metadata';
import { metadataDifference } from './history.service.js';

const metadata = (members: object) => members as ClientMetadata;

test('only differences are listed, in the order of the table', () => {
  const before = metadata({
    login_uri: 'https://a.example/',
    redirect_uris: ['https://a.example/'],
    client_name: 'A',
  });
  const after = metadata({
    client_name: 'B',
    redirect_uris: ['https://a.example/'],
    client_uri: 'https://b.example/',
  });
  expect(metadataDifference(before, after)).toEqual([
    { field: 'client_name', before: 'A', after: 'B' },
    { field: 'client_uri', after: 'https://b.example/' },
    { field: 'login_uri', before: 'https://a.example/' },
  ]);
});

test('a registration has no old values, a deletion no new ones', () => {
  expect(metadataDifference(null, metadata({ client_name: 'A' }))).toEqual([
    { field: 'client_name', after: 'A' },
  ]);
  expect(metadataDifference(metadata({ client_name: 'A' }), null)).toEqual([
    { field: 'client_name', before: 'A' },
  ]);
});

test('a former field of the table is listed, too', () => {
  expect(metadataDifference(metadata({ former: 1 }), metadata({}))).toEqual([{ field: 'former', before: 1 }]);
});

test('lists are compared in full', () => {
  const lists = (...uris: string[]) => metadata({ redirect_uris: uris });
  expect(metadataDifference(lists('a', 'b'), lists('a', 'b'))).toEqual([]);
  expect(metadataDifference(lists('a', 'b'), lists('b', 'a'))).toHaveLength(1);
});
