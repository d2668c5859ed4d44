import { z } from 'zod';
import { LOG_LEVELS } from './logging/create-logger.js';

/** A list in one variable: words apart by commas or spaces. */
export const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

/** The variables every service reads, to be spread into its own schema. */
export const serviceEnvironment = {
  ADDRESS: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  TRUSTED_PROXIES: words.default([]),
  /** Whether /openapi.json and /docs answer without a token. */
  API_DOCUMENT: z.enum(['public', 'off']).default('public'),
  /** Whether /metrics asks for a token with the scope metrics:read. */
  METRICS: z.enum(['token', 'public']).default('token'),
};
