import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Problem } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { RegistrySettings } from '../settings/registry-settings.js';
import { namesTag, permits } from './entity-tag.js';

/** What a request makes a change depend on (RFC 9110 section 13.1). */
export interface RequestConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Whether a change may be made of a state with this sequence number. */
export type StatePrecondition = (state: { readonly seq: string }) => boolean;

/** The conditional headers of a request. */
export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): RequestConditions => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
});

const EXISTS =
  'There is such a Client in the state that If-None-Match names, or in any state where it is *; nothing was changed.';

/** What the conditions ask of the Client's state; `If-None-Match: *` asks that there be none. */
export function preconditionOf({ ifMatch, ifNoneMatch }: RequestConditions): StatePrecondition {
  return ({ seq }) => {
    if (namesTag(ifNoneMatch, seq)) throw new Problem({ status: 412, detail: EXISTS });
    return permits(ifMatch, seq);
  };
}

/** The same where configuration may insist on If-Match. @throws {Problem} 428 (RFC 6585 section 3) */
export function requiredPreconditionOf(
  conditions: RequestConditions,
  settings: Pick<RegistrySettings, 'ifMatch'>,
): StatePrecondition {
  if (conditions.ifMatch === undefined && settings.ifMatch === 'required') {
    throw new Problem({
      status: 428,
      detail: 'Send the ETag of the Client as you know it in If-Match; this registry requires it.',
    });
  }
  return preconditionOf(conditions);
}
