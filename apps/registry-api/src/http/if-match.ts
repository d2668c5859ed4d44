import { Problem } from '@svc/service-kit';
import type { Precondition } from '../clients/clients.service.js';
import type { RegistrySettings } from '../registry-settings.js';
import { permits } from './entity-tag.js';

/** What an If-Match header asks of the Client's state (RFC 9110 section 13.1.1). */
export function preconditionOf(ifMatch: string | undefined): Precondition {
  return ({ seq }) => permits(ifMatch, seq);
}

/** The same where configuration may insist on the header. @throws {Problem} 428 (RFC 6585 section 3) */
export function requiredPreconditionOf(
  ifMatch: string | undefined,
  settings: Pick<RegistrySettings, 'ifMatch'>,
): Precondition {
  if (ifMatch === undefined && settings.ifMatch === 'required') {
    throw new Problem({
      status: 428,
      detail: 'Send the ETag of the Client as you know it in If-Match; this registry requires it.',
    });
  }
  return preconditionOf(ifMatch);
}
