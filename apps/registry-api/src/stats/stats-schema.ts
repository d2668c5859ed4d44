const COUNT = { type: 'integer', minimum: 0 };

const AGE_GROUPS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['count'],
    properties: {
      within_days: { type: 'integer', description: 'At most so many days ago; absent: longer ago.' },
      count: COUNT,
    },
  },
};

/** What `GET /clients/stats` answers. */
export const STATS_SCHEMA = {
  type: 'object',
  required: ['as_of', 'clients', 'enabled', 'disabled', 'with_warnings', 'warnings', 'age', 'secrets'],
  properties: {
    as_of: { type: 'string', format: 'date-time', description: 'When they were counted: up to 10 s ago.' },
    clients: COUNT,
    enabled: COUNT,
    disabled: COUNT,
    with_warnings: { ...COUNT, description: 'Clients with a warning or several.' },
    warnings: {
      type: 'array',
      description: 'Clients with each warning, the most frequent first.',
      items: {
        type: 'object',
        required: ['code', 'clients'],
        properties: { code: { type: 'string' }, clients: COUNT },
      },
    },
    age: { ...AGE_GROUPS, description: 'Clients by the time since their registration.' },
    secrets: {
      type: 'object',
      description: 'The secrets that are valid now, of Clients that authenticate themselves.',
      required: ['count', 'last_use', 'never_used', 'expiring'],
      properties: {
        count: COUNT,
        last_use: { ...AGE_GROUPS, description: 'By the time since a check found them valid.' },
        never_used: { ...COUNT, description: 'That no check ever found valid.' },
        expiring: {
          type: 'array',
          description: 'That end within so many days.',
          items: {
            type: 'object',
            required: ['within_days', 'count'],
            properties: { within_days: { type: 'integer' }, count: COUNT },
          },
        },
      },
    },
  },
};
