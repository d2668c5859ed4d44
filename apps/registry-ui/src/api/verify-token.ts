import { ApiError } from './api-error.js';
import type { Features } from './client-documents.js';
import { featuresQuery } from './client-queries.js';
import { queryClient } from './query-client.js';
import { fetchBody } from './request.js';
import { text } from '../texts/text.js';

/**
 * Tries a token out before it counts: what it opens first is what every screen needs.
 *
 * @throws {Error} for people, when the registry does not take it, or it may not read
 */
export async function verifyToken(token: string): Promise<void> {
  const features = await fetchBody<Features>({ path: '/client/features', token }).catch((error: unknown) => {
    throw error instanceof ApiError ? new Error(reasonOf(error), { cause: error }) : error;
  });
  queryClient.setQueryData(featuresQuery.queryKey, features);
}

function reasonOf({ status, code, message }: ApiError): string {
  if (status === 401) return text('signIn.refused');
  return code === 'insufficient_scope' ? text('signIn.unreading') : message;
}
