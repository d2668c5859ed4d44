import type { Violation } from '@svc/service-kit';
import { JsonBodyError, parseJson } from '@svc/service-kit';
import { isJsonObject } from '../http/is-json-object.js';
import { type CookieContext, cookieProblems } from './cookie-grammar.js';
import type { CallAnswer } from './put-json.js';

/** What a webhook's answer holds, and what is wrong with it. */
export interface WebhookValidation {
  /** The answer's JSON object; absent when it is not one. */
  readonly cookies?: Readonly<Record<string, unknown>>;
  readonly problems: readonly Violation[];
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i;

/** Validates the answer of a cookie webhook: success, with a JSON object of cookie names and values. */
export function validateWebhookAnswer(answer: CallAnswer, context: CookieContext): WebhookValidation {
  const violation = statusViolation(answer.status);
  if (violation) return { problems: [violation] };
  const type = JSON_TYPE.test(answer.contentType)
    ? []
    : [problem('content_type', 'the answer has a Content-Type other than application/json')];
  try {
    const cookies = parseJson(answer.body);
    if (!isJsonObject(cookies))
      return { problems: [...type, problem('type', 'the answer is not a JSON object')] };
    return { cookies, problems: [...type, ...cookieProblems(cookies, context)] };
  } catch (error) {
    if (!(error instanceof JsonBodyError)) throw error;
    return { problems: [...type, problem('json', `the answer cannot be read: ${error.message}`)] };
  }
}

function statusViolation(status: number): Violation | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    return problem('redirect', `the webhook answers with ${status}; redirects are not followed`);
  }
  return problem('status', `the webhook answers with ${status} instead of 200`);
}

function problem(code: string, message: string): Violation {
  return { field: '', code, message };
}
