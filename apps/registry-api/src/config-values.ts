import { type CapabilityExtension, extendCapabilities } from '@svc/client-metadata';
import { words } from '@svc/service-kit/environment';
import { z } from 'zod';
import { ConnectionUrlError, parseConnectionUrl } from './database/connection-url.js';
import { MIN_PEPPER_LENGTH } from './secrets/secret-hasher.js';

/** Values that configuration adds to those of the specification; the field table defines which it can validate. */
export const extension = (name: keyof CapabilityExtension) =>
  words.default([]).superRefine(isExtension(name));

/** Comma-separated, because a response type may consist of several words, in any order. */
export const responseTypes = z
  .string()
  .transform((text) => text.split(',').map((type) => type.trim().split(/\s+/).sort().join(' ')))
  .default([])
  .superRefine(isExtension('response_types'));

/** A connection URI whose servers may be asked to write. */
export function isPrimaryUrl(text: string, context: z.RefinementCtx): void {
  attempt(() => {
    const { sessionAttributes } = parseConnectionUrl(text);
    if (!PRIMARY_ATTRIBUTES.has(sessionAttributes)) {
      throw new ConnectionUrlError(
        `target_session_attrs=${sessionAttributes} excludes servers that take writes`,
      );
    }
  }, context);
}

export function isConnectionUrl(text: string, context: z.RefinementCtx): void {
  attempt(() => parseConnectionUrl(text), context);
}

const PRIMARY_ATTRIBUTES = new Set(['any', 'primary', 'read-write', 'prefer-standby']);

/** As browsers write it: scheme, host in lower case, and the port unless it is the default. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

export function areSecrets(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => value.length >= MIN_PEPPER_LENGTH);
}

export function isExtension(name: keyof CapabilityExtension) {
  return (value: unknown, context: z.RefinementCtx): void => {
    attempt(() => extendCapabilities({ [name]: value }), context);
  };
}

/** The result of `make`; an error that it throws becomes a violation of the variable. */
export function attempt<T>(make: () => T, context: z.RefinementCtx): T {
  try {
    return make();
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
}
