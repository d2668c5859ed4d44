import { optionalText } from '../texts/metadata.js';

/** A short label for a kind of warning. */
export function warningLabel(code: string): string {
  return optionalText(`warning.${code}`) ?? code.replaceAll('_', ' ');
}
