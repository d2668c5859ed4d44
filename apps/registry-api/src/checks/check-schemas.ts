const text = (description: string) => ({ type: 'string', description });

const FIELD_PROBLEMS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      field: text('A JSON pointer.'),
      code: text('The rule.'),
      message: text('The rule, for people.'),
    },
  },
};

/** The bodies of the checks, for the API document. */
export const REQUEST_PARAMETERS = {
  type: 'object',
  description:
    'The parameters of the authorization request by name; a list where one was sent more than once.',
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  example: {
    response_type: 'code',
    redirect_uri: 'https://shop.example/cb',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
};

export const REQUEST_VERDICT = {
  type: 'object',
  required: ['valid', 'errors'],
  properties: {
    valid: { type: 'boolean' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['error', 'error_description'],
        properties: {
          error: { enum: ['invalid_request', 'unauthorized_client', 'unsupported_response_type'] },
          error_description: text('For the developer of the application.'),
          must_not_redirect: {
            enum: [true],
            description: 'Present where the user must be told without a redirect.',
          },
        },
      },
    },
    redirect_uri: text('Where the answer goes, an error’s too; absent when nothing may be redirected.'),
    redirect_uri_match: {
      type: 'object',
      properties: {
        matches: { type: 'boolean' },
        registered: text('The registered URI that it matches.'),
        rule: text('The rule that decided.'),
        message: text('The rule, for people.'),
      },
    },
  },
};

export const SECRET_VERDICT = {
  type: 'object',
  required: ['valid'],
  properties: {
    valid: { type: 'boolean' },
    client_secret_expires_at: {
      type: 'integer',
      description: 'Seconds since 1970; 0 when it does not expire.',
    },
  },
};

export const PROBE_REPORT = {
  type: 'object',
  required: ['ok', 'duration_ms', 'problems'],
  properties: {
    ok: { type: 'boolean', description: 'Whether the webhook can be used as it is.' },
    status: { type: 'integer', description: 'Absent when there was no answer.' },
    duration_ms: { type: 'integer' },
    cookies: {
      type: 'object',
      additionalProperties: true,
      description: 'The cookies of the answer, name to value.',
    },
    problems: FIELD_PROBLEMS,
  },
};
