const text = (description: string) => ({ type: 'string', description });
const count = (description: string) => ({ type: 'integer', description });

export const IMPORT_ANSWER = {
  type: 'object',
  required: [
    ...['dry_run', 'prune', 'registered', 'updated', 'enabled', 'disabled', 'deleted', 'unchanged'],
    'clients',
  ],
  properties: {
    dry_run: { type: 'boolean', description: 'Nothing was done: it is told what would be.' },
    prune: { type: 'boolean' },
    registered: count('New Clients.'),
    updated: count('Clients whose metadata differed.'),
    enabled: count('Clients that were disabled.'),
    disabled: count('Clients, new ones too, that were enabled.'),
    deleted: count('Clients that were absent; with prune only.'),
    unchanged: count('Clients that were so already.'),
    clients: {
      type: 'array',
      description: 'Each Client that is changed, in the order of the lines; then those that are deleted.',
      items: {
        type: 'object',
        required: ['client_id', 'changes'],
        properties: {
          client_id: { type: 'string' },
          line: count('Counted from 1; absent for a deletion.'),
          changes: {
            type: 'array',
            items: { enum: ['registered', 'updated', 'enabled', 'disabled', 'deleted'] },
          },
          client_secret: text('Of a new Client; no later answer holds it. Absent in a dry run.'),
        },
      },
    },
  },
};
