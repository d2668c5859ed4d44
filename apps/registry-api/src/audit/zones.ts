/** A lookup file's record for an address, by column: plain JSON, nested as in the file. */
export type Zone = Readonly<Record<string, unknown>>;

/** Where addresses lie. */
export interface Zones {
  /** @returns the record of the address's network; `undefined` without one, or when `address` is not an address */
  zoneOf(address: string): Zone | undefined;
}

/** Nest's injection token for the `Zones`; `undefined` when no lookup file is configured. */
export const ZONES = Symbol('Zones');
