import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Problem } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { RegistrySettings } from '../settings/registry-settings.js';

/** One entity tag, weak or strong (RFC 9110 section 8.8.3). */
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The strong entity tag of this revision. */
export function toEntityTag(revision: string): string {
  return `"${revision}"`;
}

/** Whether If-None-Match lists this state (weak comparison, RFC 9110 section 13.1.2). */
export function ifNoneMatchLists(header: string | undefined, revision: string): boolean {
  return (
    header !== undefined && (header.trim() === '*' || tagsIn(header).some(({ tag }) => tag === revision))
  );
}

/** Whether If-Match allows a change of this state (strong comparison, RFC 9110 section 13.1.1). */
export function ifMatchAllows(header: string | undefined, revision: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return tagsIn(header).some(({ tag, isWeak }) => tag === revision && !isWeak);
}

/** What is wrong with the text of an If-Match: without an entity tag it could never allow a change. */
export function ifMatchViolation(header: string): string | undefined {
  if (header.trim() === '*' || tagsIn(header).length > 0) return undefined;
  return 'must be an ETag in double quotes, as in "42-9f86d081884c"';
}

/** The preconditions of a request (RFC 9110 section 13.1). */
export interface RequestConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): RequestConditions => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
});

/** Whether the state of this revision may be changed. */
export type StatePrecondition = (state: { readonly revision: string }) => boolean;

const EXISTS = 'The client is in a state that If-None-Match excludes; nothing was changed.';

/** `If-None-Match: *` requires that there is no Client. @throws {Problem} 400 when If-Match has no entity tag */
export function preconditionOf({ ifMatch, ifNoneMatch }: RequestConditions): StatePrecondition {
  const reason = ifMatch === undefined ? undefined : ifMatchViolation(ifMatch);
  if (reason !== undefined) {
    const message = `If-Match ${reason}`;
    throw new Problem({
      status: 400,
      detail: `${message}.`,
      errors: [{ field: '/If-Match', code: 'entity_tag', message }],
    });
  }
  return ({ revision }) => {
    if (ifNoneMatchLists(ifNoneMatch, revision)) throw new Problem({ status: 412, detail: EXISTS });
    return ifMatchAllows(ifMatch, revision);
  };
}

/** The same where configuration may require If-Match. @throws {Problem} also 428 (RFC 6585 section 3) */
export function requiredPreconditionOf(
  conditions: RequestConditions,
  settings: Pick<RegistrySettings, 'ifMatch'>,
): StatePrecondition {
  if (conditions.ifMatch === undefined && settings.ifMatch === 'required') {
    throw new Problem({
      status: 428,
      detail: 'This registry requires If-Match: send the ETag of the client as you last read it.',
    });
  }
  return preconditionOf(conditions);
}

function tagsIn(header: string): { tag: string | undefined; isWeak: boolean }[] {
  return [...header.matchAll(ENTITY_TAG)].map(([, weak, tag]) => ({ tag, isWeak: weak !== undefined }));
}
