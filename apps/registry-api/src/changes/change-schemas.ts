import { CHANGE_KINDS } from '../clients/client-change.entity.js';
import { schemaRef } from '../openapi/schema-ref.js';

const text = (description: string) => ({ type: 'string', description });

/** Schemas of the members that every change has, in the feed and in a Client's history. */
export const CHANGE_MEMBERS = {
  seq: { type: 'integer', description: 'Its number: later changes have higher ones; some are never used.' },
  client_id: { type: 'string' },
  kind: { type: 'string', enum: [...CHANGE_KINDS] },
  at: { type: 'string', format: 'date-time' },
  actor: {
    type: 'object',
    description: 'Who made the change.',
    required: ['id', 'name', 'address'],
    properties: {
      id: text('Id of the token.'),
      name: text("The token's name at the time."),
      address: text('Where the request came from.'),
    },
  },
};

export const FEED_CHANGE = {
  type: 'object',
  required: [...Object.keys(CHANGE_MEMBERS), 'client'],
  properties: {
    ...CHANGE_MEMBERS,
    client: {
      oneOf: [schemaRef('Client'), { type: 'null' }],
      description:
        'The Client as it stands when the change is read, never as it was before the change; null when there is none any ' +
        'more.',
    } as object,
  },
};

export const CHANGE_LIST = {
  type: 'object',
  required: ['changes', 'last_seq'],
  properties: {
    changes: { type: 'array', items: FEED_CHANGE },
    next: { type: 'integer', description: '`since` of the next page; absent on the last one.' },
    last_seq: { type: 'integer', description: 'The last change there is: `since` once all pages are read.' },
  },
};

export const EVENT_STREAM = {
  type: 'string',
  description:
    'An event for each change, whose `id` is its `seq` and whose `data` is the change as in a page, on one line.',
};
