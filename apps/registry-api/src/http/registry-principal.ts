import type { ClientSelector } from '@svc/client-metadata';
import type { Principal } from '@svc/service-kit';

/** Who makes a request, and which Clients it reaches. */
export interface RegistryPrincipal extends Principal {
  readonly selector: ClientSelector;
  /** The networks that its token may be used from; absent: any. */
  readonly networks?: readonly string[] | undefined;
}

/** @throws for a principal that a verifier made without a selector: it must not reach anything */
export function toRegistryPrincipal(principal: Principal): RegistryPrincipal {
  const { selector } = principal as Partial<RegistryPrincipal>;
  if (!selector) throw new Error('a principal without a selector');
  return { ...principal, selector };
}
