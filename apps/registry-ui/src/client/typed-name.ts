/** A name without what users cannot see or type: ignorable characters and repeated spaces. */
function visible(name: string): string {
  return name
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Compares typed text with a displayed name: it is the name, a beginning of it, or another. */
export function compareTyped(typed: string, name: string): 'same' | 'begun' | 'other' {
  const [begun, whole] = [visible(typed), visible(name)];
  if (begun === whole) return 'same';
  return whole.startsWith(begun) ? 'begun' : 'other';
}
