import { optionalText } from '../texts/text.js';

/** A short label for a kind of warning. */
export function warningLabel(code: string): string {
  return optionalText(`warning.${code}`) ?? code.replaceAll('_', ' ');
}
