import { ApiError } from './api-error.js';
import { featuresQuery } from './client-queries.js';
import { queryClient } from './query-client.js';
import { fetchBody } from './request.js';
import { text } from '../texts/text.js';

/**
 * Verifies a token before it is used, by requesting what every screen needs.
 *
 * @throws {Error} with a message for the user, if the registry rejects the token or it may not read
 */
export async function verifyToken(token: string): Promise<void> {
  const features = await fetchBody({ path: '/client/features', token }).catch((error: unknown) => {
    throw error instanceof ApiError ? new Error(reasonOf(error), { cause: error }) : error;
  });
  queryClient.setQueryData(featuresQuery.queryKey, features);
}

function reasonOf({ status, code, message }: ApiError): string {
  if (status === 401) return text('signIn.refused');
  return code === 'insufficient_scope' ? text('signIn.unreading') : message;
}
