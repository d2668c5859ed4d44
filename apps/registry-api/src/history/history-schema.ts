import { CHANGE_KINDS } from '../clients/client-change.entity.js';

const TEXT = { type: 'string' };

/** What `GET /client/{client_id}/history` answers. */
export const HISTORY_PAGE = {
  type: 'object',
  required: ['changes'],
  properties: {
    changes: {
      type: 'array',
      description: 'The latest first.',
      items: {
        type: 'object',
        required: ['seq', 'client_id', 'kind', 'at', 'actor', 'changed'],
        properties: {
          seq: { type: 'integer', description: 'Later changes have higher numbers.' },
          client_id: TEXT,
          kind: { type: 'string', enum: [...CHANGE_KINDS] },
          at: { type: 'string', format: 'date-time' },
          actor: {
            type: 'object',
            description: 'Whose token it was, and from which address.',
            required: ['id', 'name', 'address'],
            properties: {
              id: TEXT,
              name: TEXT,
              address: TEXT,
              zone: {
                type: 'object',
                description:
                  'Where the address lies by now, as AUDIT_IP_LOOKUP says: its columns. Absent when it does not say.',
              },
            },
          },
          changed: {
            type: 'array',
            description: 'The metadata that differs; never a secret.',
            items: {
              type: 'object',
              required: ['field'],
              properties: {
                field: TEXT,
                before: { description: 'Absent when there was no value.' },
                after: { description: 'Absent when there is no value.' },
              },
            },
          },
        },
      },
    },
    next: { type: 'integer', description: 'The cursor of the next page; absent on the last one.' },
  },
};
