import { isIP } from 'node:net';
import { z } from 'zod';
import { isNetwork } from './http/networks.js';
import { parseRate, type Rate } from './limits/rate-limiter.js';
import { DEFAULT_RATE_LIMITS } from './limits/limit-rates.js';
import { LOG_LEVELS } from './logging/create-logger.js';

/** A list in one variable, separated by commas or spaces. */
export const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

/** A rate limit, such as `100/s`; null for `off`. */
const rate = z.string().transform((text, context): Rate | null => {
  try {
    return parseRate(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
    return z.NEVER;
  }
});

/** A host name whose last label has a letter, unlike a mistyped address. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_-]+\.)*[a-z0-9_-]*[a-z][a-z0-9_-]*$/i;

function isAddressOrName(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text);
}

/** The variables that every service reads; each service spreads them into its own schema. */
export const serviceEnvironment = {
  ADDRESS: z
    .string()
    .refine(isAddressOrName, 'must be an IP address or a host name, without brackets or a port')
    .default('127.0.0.1'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  TRUSTED_PROXIES: words
    .refine(
      // A prefix of 0 would trust every caller.
      (proxies) => proxies.every((proxy) => isNetwork(proxy) && !/\/0+$/.test(proxy)),
      'must be IP addresses or CIDR blocks such as 10.0.0.0/8, but not /0',
    )
    .default([]),
  /** Whether /openapi.json and /docs answer without a token. */
  API_DOCUMENT: z.enum(['public', 'off']).default('public'),
  /** Whether /metrics requires a token with the scope metrics:read. */
  METRICS: z.enum(['token', 'public']).default('token'),
  RATE_LIMIT_PER_TOKEN: rate.default(DEFAULT_RATE_LIMITS.perToken),
  RATE_LIMIT_PER_ADDRESS: rate.default(DEFAULT_RATE_LIMITS.perAddress),
};
