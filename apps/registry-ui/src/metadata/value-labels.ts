import { optionalText } from '../texts/metadata.js';

/** What users call a field's value, such as "Exact match (recommended)" for `full_match`; the value itself if unknown. */
export function valueLabel(name: string, value: string): string {
  return optionalText(`choice.${name}.${value}`) ?? value;
}

/** What choosing a value means; `undefined` if there is no text for it. */
export function valueMeaning(name: string, value: string): string | undefined {
  return optionalText(`value.${name}.${value}`);
}
