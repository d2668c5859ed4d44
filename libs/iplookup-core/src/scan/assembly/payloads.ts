/** Payloads, as in `row-payload.ts`, and rules for leaving rows out. */

export const PARTLY_EMPTY: u32 = 1;
export const EMPTY_ROW: u32 = 2;
const DROP_EMPTY: u32 = 1;
const DROP_ANY: u32 = 2;

/** Not a payload. */
export const NONE: u32 = 0xffff_ffff;

let rule: u32 = 0;

export function setRule(dropRule: u32): void {
  rule = dropRule;
}

/** True if a row of this kind is left out. */
export function isDropped(kind: u32): bool {
  return kind != 0 && (rule == DROP_ANY || (rule == DROP_EMPTY && kind == EMPTY_ROW));
}
