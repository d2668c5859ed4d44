import { type DeletedClient, deletionsIn } from './deletions.js';

const deleted = (client_id: string, deleted_at: string, by = 'ops') =>
  ({ client_id, deleted_at, deleted_by: { id: by, name: by } }) as DeletedClient;

test('clients that one request deleted form a deletion, in the order of the list', () => {
  const list = [
    deleted('c', 'noon'),
    deleted('b', 'dawn'),
    deleted('x', 'dawn', 'dev'),
    deleted('a', 'dawn'),
  ];
  const found = deletionsIn(list).map(({ at, by, clients }) => [
    at,
    by,
    clients.map((each) => each.client_id),
  ]);
  expect(found).toEqual([
    ['noon', 'ops', ['c']],
    ['dawn', 'ops', ['b', 'a']],
    ['dawn', 'dev', ['x']],
  ]);
});
