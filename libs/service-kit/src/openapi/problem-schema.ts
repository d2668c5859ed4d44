import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const text = (description: string) => ({ type: 'string', description }) as const;

const FIELD_PROBLEM: Schema = {
  type: 'object',
  required: ['field', 'code', 'message'],
  properties: {
    field: text('A JSON pointer into the body, such as /redirect_uris/1.'),
    code: text('The rule, for programs.'),
    message: text('The rule, for people.'),
  },
};

/** The body of every refusal, for the API document. */
export const PROBLEM_SCHEMA: Schema = {
  type: 'object',
  description: 'RFC 9457, with the members of OAuth beside.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'error', 'error_description'],
  properties: {
    type: text('URI of the kind of problem.'),
    title: text('Its name.'),
    status: { type: 'integer' },
    detail: text('What is wrong, and what to do.'),
    instance: text("The request's path."),
    request_id: text('Finds the request in the log.'),
    error: text('RFC 7591 section 3.2.2, RFC 6750 section 3.1.'),
    error_description: text('The detail in ASCII.'),
    errors: { type: 'array', items: FIELD_PROBLEM },
  },
};
