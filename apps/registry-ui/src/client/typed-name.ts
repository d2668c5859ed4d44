/** What nobody sees in a name, and so cannot type: ignorable characters, and how many spaces stand in a row. */
function visible(name: string): string {
  return name
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** How what was typed compares with a name as it is shown: it is the name, may become it, or is another. */
export function compareTyped(typed: string, name: string): 'same' | 'begun' | 'other' {
  const [begun, whole] = [visible(typed), visible(name)];
  if (begun === whole) return 'same';
  return whole.startsWith(begun) ? 'begun' : 'other';
}
