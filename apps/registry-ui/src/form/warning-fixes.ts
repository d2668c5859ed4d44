import { type CurrentClient, warningFix } from '@svc/client-metadata';
import type { Features } from '../api/client-documents.js';
import { validateForm } from './validate-form.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * The members that resolve all warnings of a kind.
 *
 * @param body the client's metadata
 * @returns `undefined` unless the registry's rules accept the result and no longer warn of it
 */
export function fixOf(
  code: string,
  features: Features,
  body: Members,
  current: CurrentClient | undefined,
): Members | undefined {
  const fix = warningFix(code, body);
  if (!fix) return undefined;
  const { violations, warnings } = validateForm(features, { ...body, ...fix }, current);
  return violations.length === 0 && warnings.every((warning) => warning.code !== code) ? fix : undefined;
}
