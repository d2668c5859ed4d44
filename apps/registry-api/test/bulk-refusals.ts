/** Requests for many changes that are refused before any is looked at: what is wrong, the body, the errors reported. */
export const REFUSED_REQUESTS: [name: string, body: unknown, errors: unknown][] = [
  ['a list', [], [{ field: '', code: 'type', message: 'send a JSON object with a list of operations' }]],
  [
    'no operations',
    {},
    [{ field: '/operations', code: 'type', message: 'operations must be a list of 1 to 1000 operations' }],
  ],
  [
    'an empty list',
    { operations: [] },
    [{ field: '/operations', code: 'type', message: 'operations must be a list of 1 to 1000 operations' }],
  ],
  [
    'more than 1,000',
    { operations: Array.from({ length: 1001 }, () => ({ op: 'delete', client_id: 'x' })) },
    [{ field: '/operations', code: 'type', message: 'operations must be a list of 1 to 1000 operations' }],
  ],
  [
    'flags that are none, and unknown members',
    { atomic: 'no', dry_run: 1, more: 1, operations: [{ op: 'delete', client_id: 'x' }] },
    [
      { field: '/more', code: 'unknown_field', message: 'is not one of atomic, dry_run, operations' },
      { field: '/atomic', code: 'type', message: 'atomic must be true or false' },
      { field: '/dry_run', code: 'type', message: 'dry_run must be true or false' },
    ],
  ],
  [
    'unsound operations',
    {
      operations: [
        null,
        { op: 'toString', client_id: 'x' },
        { op: 'delete' },
        { op: 'enable', client_id: 1, if_match: 2 },
        { op: 'register' },
        { op: 'update', client_id: 'x' },
        { op: 'update', client_id: 'x', client: {}, patch: {} },
        { op: 'disable', client_id: 'x', patch: {} },
        { op: 'enable', client_id: 'x', if_match: '42-9f86d081884c' },
      ],
    },
    [
      { field: '/operations/0', code: 'type', message: 'an operation must be a JSON object' },
      {
        field: '/operations/1/op',
        code: 'value',
        message: 'op must be one of register, update, delete, enable, disable',
      },
      { field: '/operations/2/client_id', code: 'type', message: 'client_id must be a string' },
      { field: '/operations/3/client_id', code: 'type', message: 'client_id must be a string' },
      { field: '/operations/3/if_match', code: 'type', message: 'if_match must be a string' },
      { field: '/operations/4/client', code: 'required', message: 'client is required' },
      {
        field: '/operations/5',
        code: 'required',
        message: 'an update needs either client, which replaces, or patch, which changes',
      },
      {
        field: '/operations/6',
        code: 'required',
        message: 'an update needs either client, which replaces, or patch, which changes',
      },
      {
        field: '/operations/7/patch',
        code: 'unknown_field',
        message: 'is not one of op, client_id, if_match',
      },
      {
        field: '/operations/8/if_match',
        code: 'entity_tag',
        message: 'if_match must be an ETag in double quotes, as in "42-9f86d081884c"',
      },
    ],
  ],
];
